import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import pg from 'pg';
import { conflict } from '#account/refusal.js';
import { AccountLoader } from '#ledger/account-loader.js';
import type { AccountReads, AccountView } from '#ledger/account-reads.js';
import { Profiles } from '#ledger/profiles.js';
import { countPlainTexts, type PlainTexts } from '#ledger/texts/plain-texts.js';
import { TextKeys } from '#ledger/texts/text-keys.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { eraseAttempts } from '#deliveries/erase-attempts.js';
import { UnbilledMonths } from '#invoicing/unbilled-months.js';
import { SignInRecords } from '../sign-in/sign-in-records.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import { foundAccount, knownAccount } from '#deciding/changes/known-account.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';
import type { Reason } from '#rest/operation/reason.js';

/** An erased account, and how much of its texts a log from before they were sealed still holds. */
export interface ErasedAccountView extends AccountView {
  readonly plain_texts_in_log: PlainTexts;
}

export class EraseAccountCommand extends Command<Made<ErasedAccountView>> {
  constructor(
    readonly accountId: string,
    readonly change: Change,
    readonly body: Reason,
  ) {
    super();
  }
}

/**
 * Blanks all names and texts of a closed account: its rows, and by destroying its key what its events
 * hold. The event comes first and names the rows, so that a verification finds one that is not blank;
 * asking again blanks what a fall in between has left.
 */
@CommandHandler(EraseAccountCommand)
export class EraseAccountHandler implements ICommandHandler<EraseAccountCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(TextKeys) private readonly texts: TextKeys,
    @Inject(SignInRecords) private readonly signIns: SignInRecords,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(UnbilledMonths) private readonly unbilled: UnbilledMonths,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
  ) {}

  async execute({
    accountId,
    change,
    body,
  }: EraseAccountCommand): Promise<Made<ErasedAccountView>> {
    const { closedAt, erasedAt } = await knownAccount(this.loader, accountId);
    // Closed accounts get no new rows, open ones might while their rows are listed.
    if (closedAt === null) {
      throw new ProblemException(refusalProblem(conflict('Only a closed account can be erased.')));
    }
    if (erasedAt === null) await this.refuseUnbilled(accountId, change);
    const profiles = await this.profiles.idsOf(accountId);
    const id = this.ids.next(accountId, change);
    const origin = originOf(change, body.reason);
    const { replayed } = await this.changes.submit(accountId, id, change, {
      command: 'erase-profile',
      origin,
      profiles,
    });
    await this.profiles.erase(accountId);
    await this.texts.erase(accountId);
    await eraseAttempts(this.pool, accountId);
    await this.signIns.forgetAccount(accountId);
    const account = foundAccount(await this.reads.account(accountId));
    const plain = await countPlainTexts(this.pool, accountId, account.version);
    return { view: { ...account, plain_texts_in_log: plain }, replayed };
  }

  /** Whoever is billed must be known by name until all bills are written. */
  private async refuseUnbilled(accountId: string, change: Change): Promise<void> {
    const once = { ...change, idempotencyKey: null };
    const id = this.ids.next(accountId, once);
    await this.changes.submit(accountId, id, { idempotencyKey: null }, { command: 'tick' });
    const months = await this.unbilled.of(accountId);
    if (months.length === 0) return;
    const detail =
      `There is something to invoice in ${months.join(', ')}. A month is invoiced once it has ` +
      'ended: wait for it, or start a run (POST /admin/v1/invoice-runs), then erase the account.';
    throw new ProblemException(refusalProblem(conflict(detail)));
  }
}

import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { conflict } from '#account/refusal.js';
import { AccountLoader } from '#ledger/account-loader.js';
import type { AccountReads, AccountView } from '#ledger/account-reads.js';
import { Profiles } from '#ledger/profiles.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { UnbilledMonths } from '../invoicing/unbilled-months.js';
import { AccountChanges } from './account-changes.js';
import type { Made } from './answers.js';
import { originOf, type Change } from './change.js';
import { CommandIds } from './command-ids.js';
import { foundAccount, knownAccount } from './known-account.js';
import { ACCOUNT_READS } from './ports.js';
import type { ReasonBody } from './reason.body.js';

export class EraseAccountCommand extends Command<Made<AccountView>> {
  constructor(
    readonly accountId: string,
    readonly change: Change,
    readonly body: ReasonBody,
  ) {
    super();
  }
}

/**
 * Blanks all names and texts of a closed account. The event comes first and names the rows, so that
 * a verification finds one that is not blank; asking again blanks what a fall in between has left.
 */
@CommandHandler(EraseAccountCommand)
export class EraseAccountHandler implements ICommandHandler<EraseAccountCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(UnbilledMonths) private readonly unbilled: UnbilledMonths,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
  ) {}

  async execute({ accountId, change, body }: EraseAccountCommand): Promise<Made<AccountView>> {
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
    return { view: foundAccount(await this.reads.account(accountId)), replayed };
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

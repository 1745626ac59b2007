import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountReads, AccountView } from '#ledger/account-reads.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import { AccountEnd } from './account-end.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';
import type { Reason } from '#rest/operation/reason.js';

/** Suspends, resumes or closes; doing it again changes nothing. */
export class SetStatusCommand extends Command<Made<AccountView>> {
  constructor(
    readonly command: 'suspend-account' | 'resume-account' | 'close-account',
    readonly accountId: string,
    readonly change: Change,
    readonly body: Reason,
  ) {
    super();
  }
}

@CommandHandler(SetStatusCommand)
export class SetStatusHandler implements ICommandHandler<SetStatusCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(AccountEnd) private readonly end: AccountEnd,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
  ) {}

  async execute(asked: SetStatusCommand): Promise<Made<AccountView>> {
    const { command, accountId, change, body } = asked;
    const id = this.ids.next(accountId, change);
    const origin = originOf(change, body.reason);
    const { replayed } = await this.changes.submit(accountId, id, change, { command, origin });
    // Asked again it ends what a fall in between has left.
    if (command === 'close-account') await this.end.complete(accountId, change, body.reason);
    return { view: foundAccount(await this.reads.account(accountId)), replayed };
  }
}

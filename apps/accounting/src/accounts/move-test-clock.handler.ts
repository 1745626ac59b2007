import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountReads, AccountView } from '#ledger/account-reads.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import { Invoicing } from '#invoicing/invoicing.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';

/** `now`: ms since 1970. Answered when all has happened that has become due by then. */
export class MoveTestClockCommand extends Command<Made<AccountView>> {
  constructor(
    readonly accountId: string,
    readonly change: Change,
    readonly now: number,
  ) {
    super();
  }
}

@CommandHandler(MoveTestClockCommand)
export class MoveTestClockHandler implements ICommandHandler<MoveTestClockCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Invoicing) private readonly invoicing: Invoicing,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
  ) {}

  async execute({ accountId, change, now }: MoveTestClockCommand): Promise<Made<AccountView>> {
    const id = this.ids.next(accountId, change);
    const { replayed } = await this.changes.submit(accountId, id, change, {
      command: 'move-test-clock',
      origin: originOf(change),
      now,
    });
    await this.invoicing.settle(accountId);
    return { view: foundAccount(await this.reads.account(accountId)), replayed };
  }
}

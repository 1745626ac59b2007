import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import { GrantList } from './grant-list.js';
import type { Reason } from '#rest/operation/reason.js';

/** Takes back what is left of a grant; where nothing is, nothing changes. */
export class VoidGrantCommand extends Command<Made<null>> {
  constructor(
    readonly accountId: string,
    readonly grantId: string,
    readonly change: Change,
    readonly body: Reason,
  ) {
    super();
  }
}

@CommandHandler(VoidGrantCommand)
export class VoidGrantHandler implements ICommandHandler<VoidGrantCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(GrantList) private readonly grants: GrantList,
  ) {}

  async execute({ accountId, grantId, change, body }: VoidGrantCommand): Promise<Made<null>> {
    const id = this.ids.next(accountId, change);
    const { replayed } = await this.changes.submit(accountId, id, change, {
      command: 'void-grant',
      origin: originOf(change, body.reason),
      grantId,
      wasGiven: await this.grants.has(accountId, grantId),
    });
    return { view: null, replayed };
  }
}

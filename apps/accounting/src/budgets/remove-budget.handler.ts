import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds } from '#deciding/changes/command-ids.js';
import type { ReasonBody } from '#rest/operation/reason.body.js';
import { tagOfBudget } from './budget-tag.js';

export class RemoveBudgetCommand extends Command<Made<null>> {
  constructor(
    readonly accountId: string,
    readonly budgetId: string,
    readonly change: Change,
    readonly body: ReasonBody,
  ) {
    super();
  }
}

@CommandHandler(RemoveBudgetCommand)
export class RemoveBudgetHandler implements ICommandHandler<RemoveBudgetCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
  ) {}

  async execute({ accountId, budgetId, change, body }: RemoveBudgetCommand): Promise<Made<null>> {
    const id = this.ids.next(accountId, change);
    const origin = originOf(change, body.reason);
    const command = { command: 'remove-budget', origin, budgetId } as const;
    const tagOf = tagOfBudget(budgetId);
    const { replayed } = await this.changes.submit(accountId, id, change, command, tagOf);
    return { view: null, replayed };
  }
}

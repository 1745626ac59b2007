import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import pg from 'pg';
import type { SetBudget } from '#account/commands.js';
import { apiKeyOf } from '#account/decide-budget.js';
import type { ProfileReference } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import { AccountLoader } from '#ledger/account-loader.js';
import { findProfiles, Profiles } from '#ledger/profiles.js';
import { invalidBody } from '#web/body.js';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Made } from '#deciding/changes/made.js';
import { originOf, type Change } from '#deciding/changes/change.js';
import { CommandIds, profileIdOf } from '#deciding/changes/command-ids.js';
import { keeping } from '#deciding/changes/keep-profile.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { BudgetReads, type TaggedBudget } from './budget-reads.js';
import { tagOfBudget } from './budget-tag.js';
import type { SetBudgetBody } from './set-budget.body.js';

/** Makes a budget, or says all of one anew. */
export class SetBudgetCommand extends Command<Made<TaggedBudget>> {
  constructor(
    readonly accountId: string,
    /** Null: a new one, whose id is its command's. */
    readonly budgetId: string | null,
    readonly change: Change,
    readonly body: SetBudgetBody,
  ) {
    super();
  }
}

@CommandHandler(SetBudgetCommand)
export class SetBudgetHandler implements ICommandHandler<SetBudgetCommand> {
  constructor(
    @Inject(AccountChanges) private readonly changes: AccountChanges,
    @Inject(CommandIds) private readonly ids: CommandIds,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(BudgetReads) private readonly budgets: BudgetReads,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
  ) {}

  async execute(asked: SetBudgetCommand): Promise<Made<TaggedBudget>> {
    const { accountId, change, body } = asked;
    const state = await knownAccount(this.loader, accountId);
    const id = this.ids.next(accountId, change);
    const budgetId = asked.budgetId ?? id;
    requireApiKey(state, budgetId, body.api_key_id);
    const command: SetBudget = {
      command: 'set-budget',
      origin: originOf(change, body.reason),
      budgetId,
      isNew: asked.budgetId === null,
      apiKeyId: body.api_key_id,
      period: body.period,
      limit: body.limit_credits,
      thresholds: body.thresholds,
      action: body.action,
      notify: await this.notify(asked, state, profileIdOf(id, change)),
    };
    const tagOf = asked.budgetId === null ? undefined : tagOfBudget(asked.budgetId);
    const done = await this.changes.submit(accountId, id, change, command, tagOf);
    const emails = body.notify?.emails;
    const view = await this.budgets.asSet({ accountId, budgetId, callId: id, emails }, done);
    return { view, replayed: done.replayed };
  }

  /** The row of addresses: the one that the budget has, if that says the same. */
  private async notify(
    { accountId, budgetId, body }: SetBudgetCommand,
    state: AccountState,
    rowId: string,
  ): Promise<ProfileReference | null> {
    if (body.notify === null) return null;
    const { emails } = body.notify;
    const row = state.budgets.find(({ id }) => id === budgetId)?.notify ?? null;
    if (row !== null) {
      const kept = (await findProfiles(this.pool, [row])).get(row)?.emails ?? [];
      if (kept.join() === emails.join()) return this.profiles.kept(row);
    }
    return keeping(this.profiles, accountId, state)(rowId, { emails });
  }
}

function requireApiKey(state: AccountState, budgetId: string, apiKeyId: string | null): void {
  const known = state.budgets.find(({ id }) => id === budgetId);
  if (apiKeyOf(state, known, apiKeyId) !== undefined) return;
  throw invalidBody([{ pointer: '/api_key_id', detail: 'The account has no such API key.' }]);
}

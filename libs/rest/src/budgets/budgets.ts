import type pg from 'pg';
import { apiKeyOf } from '#account/budgets.js';
import type { AccountState } from '#account/state.js';
import type { ProfileReference } from '#account/terms.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import type { Profiles } from '#projections/texts/profiles.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { invalidBody } from '#web/body.js';
import { pageBy } from '../operation/queries.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import type { Outcome } from '../operation/operation.js';
import type { BudgetReads } from './budget-reads.js';
import type { BudgetDetails, SetBudget } from './budget.schemas.js';

/** The budgets of accounts: read, set and removed. */
export class Budgets {
  constructor(
    private readonly changes: AccountChanges,
    private readonly profiles: Profiles,
    private readonly loader: AccountLoader,
    private readonly reads: BudgetReads,
    private readonly pool: pg.Pool,
  ) {}

  /** In the order in which they were created. */
  async list(accountId: string, query: PageQuery): Promise<Table<BudgetDetails>> {
    const page = pageBy(query);
    const { items, next } = page(await this.reads.all(accountId));
    return { items: items.map(({ view }) => view), next };
  }

  async get(accountId: string, budgetId: string): Promise<Outcome<BudgetDetails>> {
    const found = (await this.reads.all(accountId)).find(({ view }) => view.id === budgetId);
    if (found !== undefined) return found;
    throw new ProblemException(problem('not-found', 'The account has no such budget.'));
  }

  /** `known`: the budget to replace; null creates one, whose id is its command's. */
  async set(
    accountId: string,
    known: string | null,
    change: Change,
    body: SetBudget,
  ): Promise<Outcome<BudgetDetails>> {
    const state = await knownAccount(this.loader, accountId);
    const made = this.changes.of(accountId, change);
    const { id } = made;
    const budgetId = known ?? id;
    requireApiKey(state, budgetId, body.api_key_id);
    const kept = state.budgets.find((budget) => budget.id === budgetId)?.notify ?? null;
    const command = {
      command: 'set-budget' as const,
      budgetId,
      isNew: known === null,
      apiKeyId: body.api_key_id,
      period: body.period,
      limit: body.limit_credits,
      thresholds: body.thresholds,
      action: body.action,
      notify:
        body.notify &&
        ((await this.sameRow(kept, body.notify.emails)) ?? (await made.keep(body.notify, state))),
    };
    const tagged = known === null ? undefined : { budget: known };
    const done = await made.submit(command, tagged);
    const emails = body.notify?.emails;
    return this.reads.asSet({ accountId, budgetId, callId: id, emails }, done);
  }

  async remove(accountId: string, budgetId: string, change: Change): Promise<Outcome<null>> {
    const command = { command: 'remove-budget', budgetId } as const;
    const made = this.changes.of(accountId, change);
    const { replayed } = await made.submit(command, { budget: budgetId });
    return { view: null, replayed };
  }

  /** The row of addresses that the budget has, if it holds the same ones. */
  private async sameRow(
    row: string | null,
    emails: readonly string[],
  ): Promise<ProfileReference | null> {
    if (row === null) return null;
    const kept = (await findProfiles(this.pool, [row])).get(row)?.emails ?? [];
    return kept.join() === emails.join() ? this.profiles.kept(row) : null;
  }
}

function requireApiKey(state: AccountState, budgetId: string, apiKeyId: string | null): void {
  const known = state.budgets.find(({ id }) => id === budgetId);
  if (apiKeyOf(state, known, apiKeyId) !== undefined) return;
  throw invalidBody([{ pointer: '/api_key_id', detail: 'The account has no such API key.' }]);
}

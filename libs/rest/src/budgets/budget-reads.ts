import type pg from 'pg';
import { periodAt, reportedIn } from '#account/budget-limits.js';
import type { Terms } from '#account/decide-call.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { stateAfter } from '#projections/snapshots/account-snapshots.js';
import { present } from '#projections/reads/account-view.js';
import type { CardSource } from '#projections/reads/known-cards.js';
import { withTransaction } from '#database/database.js';
import { findProfiles } from '#projections/texts/profiles.js';
import type { AcceptedAnswer } from '#deciding/changes/account-change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { tagOf } from '#deciding/precondition.js';
import { budgetView } from '#projections/reads/budget-view.js';
import type { Outcome } from '../operation/operation.js';
import type { BudgetDetails } from './budget.schemas.js';

/** The subject of a budget's change. `emails`: addresses that it names, if any. */
export interface BudgetChange {
  readonly accountId: string;
  readonly budgetId: string;
  readonly callId: string;
  readonly emails: readonly string[] | undefined;
}

/** A budget with its validator. */
export type TaggedBudget = Outcome<BudgetDetails> & { readonly tag: string };

interface BudgetReadsParts {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'findCalls'>;
  readonly loader: AccountLoader;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly cards: CardSource;
}

/** Budgets with what is spent of them: as they stand, or as a change left them. */
export class BudgetReads {
  constructor(private readonly parts: BudgetReadsParts) {}

  /** In the order in which they were made. Throws a ProblemException for no such account. */
  async all(accountId: string): Promise<readonly TaggedBudget[]> {
    const { loader, pool, calendar, clock } = this.parts;
    const known = await knownAccount(loader, accountId);
    const { state, at } = present(known, clock.now(), calendar);
    const rows = state.budgets.flatMap(({ notify }) => (notify === null ? [] : [notify]));
    const profiles = await findProfiles(pool, rows);
    const terms = { calendar, cards: await this.parts.cards() };
    return state.budgets.flatMap(({ id, notify }) => {
      const { emails } = profiles.get(notify ?? '') ?? {};
      const budget = budgetDetails(state, id, emails, at, terms);
      return budget === undefined ? [] : { tag: tagOf(state, { budget: id }), view: budget };
    });
  }

  /** A budget as a change left it, however often it was changed since. `callId`: the change's. */
  async asSet(
    { accountId, budgetId, callId, emails }: BudgetChange,
    { event, replayed }: AcceptedAnswer,
  ): Promise<TaggedBudget> {
    const { calendar, clock } = this.parts;
    const then = event === null ? this.stateNow(accountId) : this.stateThen(accountId, callId);
    const left = present(await then, event?.at ?? clock.now(), calendar);
    const terms = { calendar, cards: await this.parts.cards() };
    const budget = budgetDetails(left.state, budgetId, emails, left.at, terms);
    if (budget === undefined) throw new Error(`Change ${callId} left no budget ${budgetId}.`);
    return { view: budget, replayed, tag: tagOf(left.state, { budget: budgetId }) };
  }

  private stateNow(accountId: string): Promise<AccountState> {
    return knownAccount(this.parts.loader, accountId);
  }

  private async stateThen(accountId: string, callId: string): Promise<AccountState> {
    const { pool, log } = this.parts;
    const [stored] = await log.findCalls([{ lane: laneOf(accountId), callId }]);
    if (stored === undefined) throw new Error(`Change ${callId} is not in the log.`);
    return withTransaction(pool, (client) => stateAfter(client, accountId, stored.accountVersion));
  }
}

/**
 * One budget at a moment (ms since 1970) up to which the state is advanced. `emails`: whom it
 * names; undefined for nobody, or where they were erased. Undefined: the account has no such
 * budget.
 */
function budgetDetails(
  state: AccountState,
  budgetId: string,
  emails: readonly string[] | undefined,
  at: number,
  terms: Terms,
): BudgetDetails | undefined {
  const budget = state.budgets.find(({ id }) => id === budgetId);
  if (budget === undefined) return undefined;
  const { label } = periodAt(budget, at, terms.calendar);
  const reported = reportedIn(budget, label);
  return {
    ...budgetView(state, budget, at, terms),
    running_period: label,
    crossed_thresholds: reported.thresholds.toSorted((one, other) => one - other),
    blocked: reported.blocked,
    notify: emails === undefined ? null : { emails },
  };
}

import { reportedIn } from './budget-limits.js';
import { commanded, due, ofCall, originOf, type Writer, type EventsOf } from './event-type.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState, Budget, ReportedAlerts } from './state.js';
import type { BudgetAction, BudgetPeriod, Origin, ProfileReference } from './terms.js';

/** A budget was made or changed: all of it as it is from now on. */
export interface BudgetSet extends Origin {
  readonly budget_id: string;
  /** Ordinal of the API key whose calls count; null: those of the whole account. */
  readonly api_key: number | null;
  readonly period: BudgetPeriod;
  /** In credits. */
  readonly limit: number;
  /** Percentages of the limit, ascending. */
  readonly thresholds: readonly number[];
  readonly action: BudgetAction;
  /** The row that holds whom to write to. */
  readonly notify: ProfileReference | null;
}

export interface BudgetRemoved extends Origin {
  readonly budget_id: string;
}

/** Members of every alert of a budget. `period` is the label of a month or a window. */
export interface BudgetAlert {
  readonly budget_id: string;
  readonly period: string;
  readonly limit: number;
  /** Credits spent in the period. */
  readonly spent: number;
}

/** Once for each budget, period and threshold. */
export interface BudgetThresholdCrossed extends BudgetAlert {
  readonly threshold: number;
  /** The call that crossed it; null where the budget was set after the credits were spent. */
  readonly call_id: string | null;
}

/** The first call of a period that a budget refused. */
export interface BudgetBlocked extends BudgetAlert {
  /** The price of that call. */
  readonly required_credits: number;
}

/** At the pace of the period so far the limit is reached before the period ends. */
export interface BudgetForecastExceeded extends BudgetAlert {
  /** When it will be. */
  readonly exhausted_at: string;
  readonly call_id: string | null;
}

export interface SetBudget {
  readonly command: 'set-budget';
  readonly origin: Origin;
  readonly budgetId: string;
  /** True makes a budget of that id, false changes all of the one that is there. */
  readonly isNew: boolean;
  readonly apiKeyId: string | null;
  readonly period: BudgetPeriod;
  readonly limit: number;
  /** Whole percentages from 1 to 100, ascending, at most 10. */
  readonly thresholds: readonly number[];
  readonly action: BudgetAction;
  readonly notify: ProfileReference | null;
}

export interface RemoveBudget {
  readonly command: 'remove-budget';
  readonly origin: Origin;
  readonly budgetId: string;
}

const NOTHING_REPORTED = { month: null, window: null };

/** A changed budget keeps what it has reported: no alert is armed again before the next period. */
export function budgetSet(state: AccountState, data: BudgetSet): Partial<AccountState> {
  const index = state.budgets.findIndex(({ id }) => id === data.budget_id);
  const known = state.budgets[index];
  const budget: Budget = {
    id: data.budget_id,
    apiKey: data.api_key,
    apiKeyId: apiKeyIdOf(state, known, data.api_key),
    period: data.period,
    limit: data.limit,
    thresholds: data.thresholds,
    action: data.action,
    notify: data.notify?.id ?? null,
    told: known?.told ?? NOTHING_REPORTED,
  };
  return {
    budgets: index < 0 ? [...state.budgets, budget] : state.budgets.with(index, budget),
  };
}

/** A budget may name a key that is over, if it did so before that was. */
function apiKeyIdOf(
  { apiKeys }: AccountState,
  known: Budget | undefined,
  apiKey: number | null,
): string | null {
  const key = apiKeys.find(({ ordinal }) => ordinal === apiKey);
  return key?.id ?? (known?.apiKey === apiKey ? known.apiKeyId : null);
}

export function budgetRemoved(state: AccountState, budgetId: string): Partial<AccountState> {
  return { budgets: state.budgets.filter(({ id }) => id !== budgetId) };
}

/** Records what a budget has reported in the period of a label. */
export function budgetReported(
  state: AccountState,
  { budget_id: id, period }: { readonly budget_id: string; readonly period: string },
  news: (reported: ReportedAlerts) => Partial<ReportedAlerts>,
): Partial<AccountState> {
  const index = state.budgets.findIndex((budget) => budget.id === id);
  const budget = state.budgets[index];
  if (budget === undefined) throw new Error(`There is no budget ${id}.`);
  const reported = reportedIn(budget, period);
  const newest = { ...reported, ...news(reported) };
  return {
    budgets: state.budgets.with(index, {
      ...budget,
      told: { ...budget.told, [budget.period]: newest },
    }),
  };
}

/**
 * The ordinal of the API key that a budget may name: one that is not over, or the one that the
 * budget names already. Undefined: there is no such key.
 */
export function apiKeyOf(
  { apiKeys }: AccountState,
  known: Budget | undefined,
  apiKeyId: string | null,
): number | null | undefined {
  if (apiKeyId === null) return null;
  const key = apiKeys.find(({ id }) => id === apiKeyId);
  return key?.ordinal ?? (known?.apiKeyId === apiKeyId ? known.apiKey : undefined);
}

/** Each call looks at all of them. */
export const BUDGETS_MAX = 100;

const UNKNOWN: Refusal = { reason: 'not-found', detail: 'The account has no such budget.' };

function isSame(budget: Budget, command: SetBudget, apiKey: number | null): boolean {
  return (
    budget.apiKey === apiKey &&
    budget.period === command.period &&
    budget.limit === command.limit &&
    budget.action === command.action &&
    budget.notify === (command.notify?.id ?? null) &&
    budget.thresholds.join() === command.thresholds.join()
  );
}

function refuseNew(state: AccountState, known: Budget | undefined): Refusal | null {
  if (known !== undefined) return conflict('A budget with that id exists: change that one.');
  if (state.budgets.length < BUDGETS_MAX) return null;
  return conflict(`An account has at most ${BUDGETS_MAX} budgets: remove one first.`);
}

export function setBudget(
  state: AccountState,
  command: SetBudget,
  at: number,
): BudgetEvent | Refusal | null {
  const { origin, budgetId, isNew, apiKeyId, period, limit, thresholds, action, notify } = command;
  const known = state.budgets.find(({ id }) => id === budgetId);
  const refusal = isNew ? refuseNew(state, known) : known === undefined ? UNKNOWN : null;
  if (refusal !== null) return refusal;
  const apiKey = apiKeyOf(state, known, apiKeyId);
  if (apiKey === undefined) {
    return { reason: 'not-found', detail: 'The account has no such API key.' };
  }
  if (known !== undefined && isSame(known, command, apiKey)) return null;
  const budget = { api_key: apiKey, period, limit, thresholds, action, notify };
  return { type: 'BudgetSet', at, data: { ...origin, budget_id: budgetId, ...budget } };
}

export function removeBudget(
  state: AccountState,
  { origin, budgetId }: RemoveBudget,
  at: number,
): BudgetEvent | Refusal {
  if (!state.budgets.some(({ id }) => id === budgetId)) return UNKNOWN;
  return { type: 'BudgetRemoved', at, data: { ...origin, budget_id: budgetId } };
}

interface OfBudget {
  readonly budget_id: string;
}

const named = ({ budget_id }: OfBudget) => ({ budget_id });

const page = { kind: 'budget', data: named };

/** Events of budgets, and their alerts. */
export const BUDGET_EVENTS = {
  BudgetSet: commanded<BudgetSet>({
    effect: budgetSet,
    command: setting,
    page,
    story: { title: 'Budget set', details: setWords },
  }),
  BudgetRemoved: commanded<BudgetRemoved>({
    effect: (state, { budget_id: id }) => budgetRemoved(state, id),
    command: (data): RemoveBudget => ({
      command: 'remove-budget',
      origin: originOf(data),
      budgetId: data.budget_id,
    }),
    page,
    story: { title: 'Budget removed', tone: 'warn' },
  }),
  BudgetThresholdCrossed: due<BudgetThresholdCrossed, 'budget.threshold_crossed'>({
    namesCall: true,
    opensMonth: false,
    effect: (state, data) =>
      budgetReported(state, data, ({ thresholds }) => ({
        thresholds: [...thresholds, data.threshold],
      })),
    notification: {
      type: 'budget.threshold_crossed',
      data: ({ budget_id, period, threshold, limit, spent, call_id }) => ({
        budget_id,
        period,
        threshold,
        limit_credits: limit,
        spent_credits: spent,
        call_id,
      }),
    },
    mail: {
      headline: ({ threshold }) => `${threshold} % of a budget is spent`,
      sentence: ({ threshold }) => `It has an alert at ${threshold} %.`,
    },
    page: {
      kind: 'alert',
      data: ({ budget_id, period, threshold, limit, spent, call_id }) => ({
        budget_id,
        period,
        threshold,
        limit_credits: limit,
        spent_credits: spent,
        call_id,
      }),
    },
    story: {
      title: 'Budget threshold crossed',
      details: (data, { text }) => `${text(data.threshold)} % in ${text(data.period)}`,
      tone: 'warn',
    },
  }),
  BudgetBlocked: ofCall<BudgetBlocked, 'budget.blocked'>({
    opensMonth: false,
    effect: (state, data) => budgetReported(state, data, () => ({ blocked: true })),
    notification: {
      type: 'budget.blocked',
      data: ({ budget_id, period, limit, spent, required_credits }) => ({
        budget_id,
        period,
        limit_credits: limit,
        spent_credits: spent,
        required_credits,
      }),
    },
    mail: {
      headline: () => 'a budget refuses calls',
      sentence: ({ required_credits: credits }, { number }) =>
        `A call of ${number(credits)} credits would have exceeded it and was refused, as others ` +
        'will be until the period ends.',
    },
    page: { kind: 'blocked', data: named },
    story: {
      title: 'Budget blocks calls',
      details: ({ period }, { text }) => `in ${text(period)}`,
      tone: 'bad',
    },
  }),
  BudgetForecastExceeded: due<BudgetForecastExceeded, 'budget.forecast_exceeded'>({
    namesCall: true,
    opensMonth: false,
    effect: (state, data) => budgetReported(state, data, () => ({ forecast: true })),
    notification: {
      type: 'budget.forecast_exceeded',
      data: ({ budget_id, period, limit, spent, exhausted_at, call_id }) => ({
        budget_id,
        period,
        limit_credits: limit,
        spent_credits: spent,
        exhausted_at,
        call_id,
      }),
    },
    mail: {
      headline: () => 'a budget will not last',
      sentence: (data) => `As calls go on, nothing is left of it at ${data.exhausted_at}.`,
    },
    page,
    story: { title: 'Budget forecast exceeded' },
  }),
};

function setting(data: BudgetSet, state: AccountState): SetBudget {
  const { budget_id: budgetId, period, limit, thresholds, action, notify } = data;
  const known = state.budgets.find(({ id }) => id === budgetId);
  const key = state.apiKeys.find(({ ordinal }) => ordinal === data.api_key);
  const knownId = known?.apiKey === data.api_key ? known.apiKeyId : null;
  // An ordinal that the account does not have becomes an id that it does not have.
  const apiKeyId = data.api_key === null ? null : (key?.id ?? knownId ?? '');
  const isNew = known === undefined;
  const set = { budgetId, isNew, apiKeyId, period, limit, thresholds, action, notify };
  return { command: 'set-budget', origin: originOf(data), ...set };
}

function setWords({ limit, period, action }: Partial<BudgetSet>, write: Writer): string {
  const then = action === 'block' ? 'then refuse' : 'only alert';
  return `${write.credits(limit)} a ${write.text(period)}, ${then}`;
}

export type BudgetEvent = EventsOf<typeof BUDGET_EVENTS>;

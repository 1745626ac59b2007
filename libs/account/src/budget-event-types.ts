import type {
  BudgetBlocked,
  BudgetForecastExceeded,
  BudgetRemoved,
  BudgetSet,
  BudgetThresholdCrossed,
} from './budget-events.js';
import type { SetBudget } from './commands.js';
import { commanded, due, ofCall, originOf, type Writer } from './event-type.js';
import { budgetRemoved, budgetSet, budgetReported } from './evolve-budgets.js';
import type { AccountState } from './state.js';

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
    command: (data) => ({
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

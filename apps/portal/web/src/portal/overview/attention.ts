import { isTest } from '#invoice-rules/invoice.js';
import { formatCount, formatCredits, formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { formatDistance } from '../../format/moments.js';
import type {
  Account,
  ApiKey,
  BudgetDetails,
  Grant,
  InvoiceSummary,
  RefusedCall,
} from '../../rest/answers.js';

/** Something to look at, the most urgent first. `to` is the page where something can be done. */
export interface Concern {
  readonly tone: 'bad' | 'warn' | 'info';
  readonly title: string;
  readonly text: string;
  readonly to: '/budgets' | '/api-keys' | '/invoices' | '/credits' | null;
}

export interface AttentionFacts {
  readonly account: Account;
  readonly budgets: readonly BudgetDetails[];
  readonly apiKeys: readonly ApiKey[];
  readonly invoices: readonly InvoiceSummary[];
  /** The latest ones. */
  readonly refusals: readonly RefusedCall[];
  readonly now: number;
}

const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;

const ORDER: Readonly<Record<Concern['tone'], number>> = { bad: 0, warn: 1, info: 2 };

/** Concerns that need attention, by urgency; empty: none. */
export function concernsOf(known: AttentionFacts): Concern[] {
  const { account, budgets, apiKeys, invoices, refusals, now } = known;
  const found = [
    ...ofAccount(account, refusals, now),
    ...budgets.flatMap((budget) => ofBudget(budget, now)),
    ...ofInvoices(invoices),
    ...account.grants.flatMap((grant) => ofGrant(grant, now)),
    ...apiKeys.flatMap((key) => ofApiKey(key, now)),
  ];
  return found.sort((one, other) => ORDER[one.tone] - ORDER[other.tone]);
}

function isSoon(at: string | null, now: number): at is string {
  return at !== null && Date.parse(at) - now < SOON_MS;
}

function ofAccount(account: Account, refusals: readonly RefusedCall[], now: number): Concern[] {
  if (account.status !== 'active') {
    const title = `This account is ${account.status}`;
    return [{ tone: 'bad', title, text: 'Every call is refused.', to: null }];
  }
  const { available_credits: available, forecast } = account;
  const refused = refusals.filter(
    ({ code, at }) => code === 'out-of-credits' && now - Date.parse(at) < DAY_MS,
  );
  if (available !== null && available <= 0) {
    const text = 'Every call is refused until credits are added.';
    return [{ tone: 'bad', title: 'No credits are left', text, to: '/credits' }];
  }
  if (available !== null && refused.length > 0) {
    const times = refused.reduce((sum, one) => sum + one.times, 0);
    const title = `${formatCount(times, 'call was', 'calls were')} refused in the last 24 hours`;
    const cheapest = Math.min(...refused.map((one) => one.required_credits ?? Infinity));
    const needed = Number.isFinite(cheapest)
      ? `, the cheapest needed ${formatNumber(cheapest)}`
      : '';
    const text = `${formatCredits(available)} are left${needed}.`;
    return [{ tone: 'bad', title, text, to: '/credits' }];
  }
  const at = forecast.exhausted_at;
  if (!isSoon(at, now)) return [];
  const text = `At the current rate they are used up ${formatDistance(at, now)}.`;
  return [{ tone: 'warn', title: 'Credits run out soon', text, to: '/credits' }];
}

function ofBudget(budget: BudgetDetails, now: number): Concern[] {
  const name = `${budget.period === 'month' ? 'Monthly' : 'Weekly'} budget`;
  const spent = `${formatNumber(budget.spent_credits)} of ${formatCredits(budget.limit_credits)}`;
  const resets = `it resets ${formatDistance(budget.resets_at, now)}`;
  if (budget.blocked || budget.left_credits <= 0) {
    const isBlocking = budget.action === 'block';
    const title = isBlocking ? `${name} refuses calls` : `${name} is used up`;
    const until = `${spent} spent. Calls beyond it are refused; ${resets}.`;
    const text = isBlocking ? until : `${spent} spent; ${resets}.`;
    return [{ tone: isBlocking ? 'bad' : 'warn', title, text, to: '/budgets' }];
  }
  const crossed = Math.max(0, ...budget.crossed_thresholds);
  if (crossed > 0) {
    const title = `${name} has passed ${crossed} %`;
    return [{ tone: 'warn', title, text: `${spent} spent; ${resets}.`, to: '/budgets' }];
  }
  if (budget.exhausted_at === null) return [];
  const text = `At the current rate it is used up ${formatDistance(budget.exhausted_at, now)}; ${resets}.`;
  return [{ tone: 'info', title: `${name} will not last`, text, to: '/budgets' }];
}

function ofInvoices(invoices: readonly InvoiceSummary[]): Concern[] {
  return [...overdueOf(invoices), ...heldOf(invoices)];
}

function overdueOf(invoices: readonly InvoiceSummary[]): Concern[] {
  const overdue = invoices.filter(
    // Nothing is to be paid of the invoices of test accounts.
    ({ number, state }) => state.status === 'overdue' && !isTest(number ?? ''),
  );
  const [first] = overdue;
  if (first === undefined) return [];
  const due = overdue.reduce((sum, { state }) => sum + state.due, 0);
  const title =
    overdue.length === 1
      ? `Invoice ${first.number} is overdue`
      : `${overdue.length} invoices are overdue`;
  const text = `${formatMoney(due, first.currency)} should have been paid by now.`;
  return [{ tone: 'warn', title, text, to: '/invoices' }];
}

function heldOf(invoices: readonly InvoiceSummary[]): Concern[] {
  const held = invoices.filter(({ state }) => state.status === 'held');
  const [first] = held;
  if (first === undefined) return [];
  const title = held.length === 1 ? 'An invoice is held' : `${held.length} invoices are held`;
  const text = 'Something is missing before it can be issued.';
  return [{ tone: 'warn', title, text, to: '/invoices' }];
}

function ofGrant(grant: Grant, now: number): Concern[] {
  if (grant.left === 0 || grant.kind === 'included' || !isSoon(grant.expires_at, now)) return [];
  const text = `What is left of a ${grant.kind} grant ends ${formatDistance(grant.expires_at, now)}.`;
  return [{ tone: 'info', title: `${formatCredits(grant.left)} expire soon`, text, to: null }];
}

function ofApiKey(key: ApiKey, now: number): Concern[] {
  if (key.status !== 'active' || !isSoon(key.expires_at, now)) return [];
  const title = `API key “${key.label ?? `…${key.last_four}`}” expires soon`;
  const text = `Calls with it are refused ${formatDistance(key.expires_at, now)}.`;
  return [{ tone: 'info', title, text, to: '/api-keys' }];
}

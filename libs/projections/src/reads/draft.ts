import type pg from 'pg';
import { advance, evolveAll } from '#account/advance.js';
import type { Terms } from '#account/decide-call.js';
import type { AccountEvent } from '#account/events.js';
import { restOfMonth } from '#account/forecast.js';
import { debtOf } from '#account/grants.js';
import { type AccountState, momentOf } from '#account/state.js';
import type { CallKind, Tax } from '#account/terms.js';
import { draftInvoice, dueDate, type InvoiceTerms } from '#invoice-rules/draft-invoice.js';
import type { InvoiceDraft } from '#invoice-rules/invoice.js';
import { forecastMonth } from '#invoice-rules/forecast-month.js';
import { currenciesWithoutXml } from '#invoice-rules/missing.js';
import { reasonsToHold } from '#invoice-rules/reasons-to-hold.js';
import type { MonthFacts, UsageSum } from '#invoice-rules/month-facts.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Month } from '#calendar/window.js';
import { PAYMENT_DAYS } from '../invoices/due-drafts.js';
import { stateAfter } from '../snapshots/account-snapshots.js';
import type { InvoiceDraftView } from '../views/invoice-reads.js';
import { movementsOf } from '#invoice-rules/movements.js';
import { MOVING, readChanges, readOpeningGrants } from '../events/month-events.js';
import { readUsage } from '../usage/usage-read.js';

/** The running month of an account at a moment, with all applied that has fallen due by then. */
export interface RunningMonth {
  readonly state: AccountState;
  readonly month: Month;
  /** Ms since 1970. */
  readonly at: number;
  readonly facts: MonthFacts;
}

/** More sums than rules and kinds there could ever be. */
const SUMS_MAX = 1_000_000;

/**
 * The running month of an account, in the snapshot of the transaction under way: `stored` is its
 * state there, `now` real time in ms since 1970.
 */
export async function readRunningMonth(
  client: pg.ClientBase,
  accountId: string,
  stored: AccountState,
  now: number,
  calendar: Calendar,
): Promise<RunningMonth> {
  const at = momentOf(stored, now);
  const due = advance(stored, at, calendar);
  const state = evolveAll(stored, due);
  const month = calendar.monthAt(at);
  const first = state.lastClose?.version ?? 0;
  const range = { accountId, first: first + 1, last: stored.version };
  const logged = (await readChanges(client, [range], MOVING)).get(accountId) ?? [];
  const sinceClose = due.slice(Math.max(0, first - stored.version));
  const events = [...logged.map(({ event }) => event), ...sinceClose];
  const opening = await readOpening(client, accountId, stored, due, first);
  const usage = await readSums(client, accountId, stored, at, month, calendar);
  const { balance, plan, grants } = state;
  const debt = debtOf(balance);
  const overage = plan === null ? 0 : debt;
  const facts: MonthFacts = {
    month: month.label,
    plan,
    usage,
    opening,
    movements: events.flatMap(movementsOf),
    closing: {
      balance,
      overage,
      carried: debt - overage,
      grants: grants.map(({ ordinal, left }) => [ordinal, left]),
    },
    version: { from: first + 1, to: state.version },
  };
  return { state, month, at, facts };
}

/**
 * The rest of grants as the month began: after its last close, which may have fallen due just now.
 */
async function readOpening(
  client: pg.ClientBase,
  accountId: string,
  stored: AccountState,
  due: readonly AccountEvent[],
  first: number,
): Promise<MonthFacts['opening']> {
  if (first === 0) return { balance: 0, grants: [] };
  const dueBefore = due.slice(0, Math.max(0, first - stored.version));
  const then =
    dueBefore.length > 0
      ? evolveAll(stored, dueBefore)
      : await stateAfter(client, accountId, first);
  const left = then.grants.map(({ ordinal, left: credits }) => [ordinal, credits] as const);
  const grants = (await readOpeningGrants(client, [{ accountId, left }])).get(accountId) ?? [];
  return { balance: then.balance, grants };
}

async function readSums(
  client: pg.ClientBase,
  accountId: string,
  stored: AccountState,
  at: number,
  month: Month,
  calendar: Calendar,
): Promise<UsageSum[]> {
  const { version } = stored;
  const { items } = await readUsage(
    client,
    { accountId, version },
    stored,
    at,
    {
      by: ['rule', 'kind'],
      from: month.startsAt,
      to: month.endsAt,
      after: null,
      limit: SUMS_MAX,
      asOf: null,
    },
    calendar,
  );
  return items.map(({ rule, kind, calls, credits_used: credits }) => ({
    rule: rule ?? '',
    kind: kind as CallKind,
    calls,
    credits,
  }));
}

/** The running month's invoice as it would be issued now, with what it comes to at this pace. */
export function draftView(
  running: RunningMonth,
  parties: Pick<InvoiceTerms, 'seller' | 'buyer' | 'exchange'>,
  accountId: string,
  terms: Terms,
): InvoiceDraftView {
  const { state, month, at, facts } = running;
  const issueDate = terms.calendar.dayAt(month.endsAt).label;
  const days = parties.seller.payment_days ?? PAYMENT_DAYS;
  const billingTax = state.billing.tax;
  const given = { id: '', accountId, currency: state.currency, issueDate, billingTax };
  const draft = draftInvoice(facts, { ...given, ...parties, dueDate: dueDate(issueDate, days) });
  const { id: _id, type: _type, ...rest } = draft;
  const { net } = draft;
  const forecast = forecastMonth({ facts, net, more: restOfMonth(state, at, terms), billingTax });
  return { type: 'draft', ...rest, missing: missingIn(draft, facts, billingTax), forecast };
}

/** Why it would be held, and why it would have no XML. */
function missingIn(draft: InvoiceDraft, { plan }: MonthFacts, billingTax: Tax | undefined) {
  const isTaxStated = plan !== null || billingTax !== undefined;
  const reasons = reasonsToHold(draft, { isTaxStated, heldBefore: null });
  return [...reasons, ...currenciesWithoutXml(draft)];
}

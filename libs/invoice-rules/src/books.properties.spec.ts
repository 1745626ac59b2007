import type { Ledger } from './ledger-accounts.js';
import fc from 'fast-check';
import { evolveAll } from '#account/advance.js';
import type { AccountEvent } from '#account/events.js';
import { worthOf } from '#account/rounding.js';
import { initialState } from '#account/state.js';
import { history, opening } from '#account/histories.suite.js';
import { TUESDAY } from '#account/scenario.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { accruals } from './accruals.js';
import { creditLiability } from './credit-liability.js';
import { periodOf } from './draft-invoice.js';
import type { JournalEntry } from './journal.js';
import { billedPurchases } from './invoice-lines.js';
import { grantMonths, type MonthFacts } from './month-facts.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { priceOf } from './money.js';
import { isMonthly as isOfMonth } from './movements.js';
import { grantSchedule, RevenueSchedule, type ScheduleMonth } from './revenue-schedule.js';
import { eventsOf, utc } from './months.suite.js';

/** Net amounts of the purchases that have invoices of their own, by grant. */
function ownInvoices(facts: MonthFacts): ReadonlyMap<string, number> {
  const atOnce = facts.movements.flatMap((one) =>
    one.type === 'granted' && one.isAtOnce === true ? [one.ordinal] : [],
  );
  const own = grantMonths(facts).filter(({ ordinal }) => atOnce.includes(ordinal));
  return new Map(
    own.map(({ id, price, voids }) => {
      const unbilled = voids.find(({ refundBy }) => isUnbilled(refundBy))?.refund ?? 0;
      return [id, (price ?? 0) - unbilled];
    }),
  );
}

/** The entries of a month from its facts, with 20 % tax on all that is sold. */
function entriesOf(facts: MonthFacts): JournalEntry[] {
  const { month, plan, closing, movements } = facts;
  const own = ownInvoices(facts);
  const grants = grantMonths(facts).filter(({ kind }) => kind === 'purchased');
  const fee = plan?.monthly_fee ?? 0;
  const overage = priceOf(closing.overage, plan?.price_per_1000_credits ?? 0);
  return accruals({
    currency: 'EUR',
    period: periodOf(month),
    dayOf: (at) => utc.dayAt(at).label,
    grants,
    movements,
    earned: { fee, overage, tax: 7, code: null },
    purchaseOf: (grant) => ({
      number: null,
      tax: Math.round((own.get(grant) ?? 0) / 5),
      code: null,
    }),
  });
}

function balanceOf(entries: readonly JournalEntry[], ledger: Ledger): number {
  const postings = entries.flatMap((entry) => entry.postings);
  return postings
    .filter((posting) => posting.ledger === ledger)
    .reduce((sum, { debit, credit }) => sum + debit - credit, 0);
}

/** The revenue schedule of a month, of which a quarter is expected to expire. */
function scheduleOf(facts: MonthFacts): ScheduleMonth | undefined {
  const schedule = new RevenueSchedule();
  const grants = grantMonths(facts);
  for (const liability of creditLiability(grants)) {
    const grant = grants.find(({ id }) => id === liability.grant_id);
    if (grant === undefined) continue;
    schedule.add(facts.month, 'EUR', grantSchedule(liability, grant, false));
  }
  return schedule.months(25, () => true)[0];
}

function monthsOf(events: readonly AccountEvent[]): readonly MonthFacts[] {
  return monthFactsFromEvents(events, utc).closed;
}

test('at each month end the deferred revenue is the closing balance of the credit liability', async () => {
  const seen = { months: 0, refunded: 0, parts: 0, broken: 0 };
  await untilMet(
    fc.property(opening, history, fc.boolean(), (account, steps, isMonthly) => {
      const events = eventsOf(account, steps, utc, TUESDAY, isMonthly);
      const entries: JournalEntry[] = [];
      for (const facts of monthsOf(events)) {
        const own = entriesOf(facts);
        for (const { postings } of own) {
          expect(postings.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBe(0);
        }
        const { from, to } = periodOf(facts.month);
        expect(own.every(({ date }) => date >= from && date <= to)).toBe(true);
        entries.push(...own);
        const owed = creditLiability(grantMonths(facts)).reduce(
          (sum, { closing }) => sum + closing.amount,
          0,
        );
        expect(0 - balanceOf(entries, 'deferred_revenue')).toBe(owed);
        if (owed > 0) seen.months += 1;
        const row = scheduleOf(facts);
        const revenue = ['credit_revenue', 'breakage_revenue'] as const;
        const booked = revenue.map((ledger) => 0 - balanceOf(own, ledger));
        expect([row?.used ?? 0, row?.breakage ?? 0]).toEqual(booked);
        expect(row?.closing ?? 0).toBe(owed);
        const { opening: before = 0, sold = 0, refunded = 0, recognised = 0 } = row ?? {};
        expect(before + sold - refunded - recognised).toBe(owed);
        expect(row?.expected_breakage ?? 0).toBe(Math.round(owed / 4));
      }
      if (balanceOf(entries, 'breakage_revenue') < 0) seen.broken += 1;
      for (const event of events) {
        if (event.type !== 'GrantVoided' || event.data.refund === undefined) continue;
        if (event.data.left === 0) seen.refunded += 1;
        else seen.parts += 1;
      }
    }),
    { numRuns: 200 },
    () => Math.min(...Object.values(seen)) > 0,
  );
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
});

test('what no invoice bills yet is what the contract asset holds', () => {
  fc.assert(
    fc.property(opening, history, fc.boolean(), (account, steps, isMonthly) => {
      const months = monthsOf(eventsOf(account, steps, utc, TUESDAY, isMonthly));
      for (const facts of months) {
        const { plan, closing, movements } = facts;
        const price = plan?.price_per_1000_credits ?? 0;
        const billed = [plan?.monthly_fee ?? 0, priceOf(closing.overage, price), 7];
        const sold = new Set(
          movements.flatMap((one) => (one.type === 'granted' ? [one.ordinal] : [])),
        );
        // Of this month's purchases what was voided unbilled is not due in the first place.
        const notes = movements.flatMap((one) =>
          one.type === 'voided' && !(isUnbilled(one.refundBy) && sold.has(one.ordinal))
            ? [one.refund ?? 0]
            : [],
        );
        const credited = notes.reduce((sum, amount) => sum + amount, 0);
        const own = [...ownInvoices(facts).values()].flatMap((net) => [net, Math.round(net / 5)]);
        const due = [...billed, ...own].reduce(
          (sum, amount) => sum + amount,
          billedPurchases({ movements }),
        );
        const asset = balanceOf(entriesOf(facts), 'contract_assets');
        expect(asset).toBe(due - credited);
      }
    }),
  );
});

function isUnbilled(refundBy: string | undefined): boolean {
  return refundBy === 'lower_invoice' || refundBy === 'no_invoice';
}

test('what is voided before its month is invoiced is neither billed nor left in the contract asset', async () => {
  const seen = { since: 0, lowered: 0 };
  await untilMet(
    fc.property(opening, history, (account, steps) => {
      const events = eventsOf(account, steps, utc, TUESDAY, true);
      const last = events.findLastIndex(({ type }) => type === 'MonthClosed');
      const months = monthsOf(events.slice(0, last + 1));
      const voids = months.flatMap(({ movements }) =>
        movements.filter((one) => one.type === 'voided'),
      );
      const monthly = new Set(
        months.flatMap(({ movements }) => movements.filter(isOfMonth).map((one) => one.ordinal)),
      );
      const notBilled = voids.filter((one) => isUnbilled(one.refundBy) && monthly.has(one.ordinal));
      const ofUnbilled = voids.filter(({ ordinal }) => {
        return notBilled.some((one) => one.ordinal === ordinal);
      });
      // A credit note names lines of an invoice: no purchase has one that is not invoiced yet.
      fc.pre(!ofUnbilled.some(({ refund = 0, refundBy }) => refund > 0 && refundBy === undefined));
      let [asset, due] = [0, 0];
      for (const facts of months) {
        const { plan, closing, movements, voidedSince = [] } = facts;
        const price = plan?.price_per_1000_credits ?? 0;
        const own = movements.flatMap((one) =>
          one.type === 'granted' && one.isAtOnce === true ? [one.price ?? 0] : [],
        );
        const taxes = [...ownInvoices(facts).values()].map((net) => Math.round(net / 5));
        const earned = [plan?.monthly_fee ?? 0, priceOf(closing.overage, price), 7];
        due += [...earned, ...own, ...taxes].reduce((sum, amount) => sum + amount, 0);
        due += billedPurchases(facts);
        asset += balanceOf(entriesOf(facts), 'contract_assets');
        seen.since += voidedSince.length;
        seen.lowered += voidedSince.filter(({ refundBy }) => refundBy === 'lower_invoice').length;
      }
      const credited = voids
        .filter((one) => !notBilled.includes(one))
        .reduce((sum, { refund = 0 }) => sum + refund, 0);
      expect(asset).toBe(due - credited);
    }),
    // One history in a hundred voids a purchase between the end of its month and the close.
    { numRuns: 2_000 },
    () => Math.min(...Object.values(seen)) > 0,
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('a state knows the worth of its grants as the liability does', async () => {
  let compared = 0;
  await untilMet(
    fc.property(opening, history, (account, steps) => {
      const events = eventsOf(account, steps);
      const { grants } = evolveAll(initialState, events);
      const { running } = monthFactsFromEvents(events, utc);
      if (running === null) return;
      const worths = new Map(grants.map(({ id, worth, left }) => [id, worth && { worth, left }]));
      for (const grant of grantMonths(running)) {
        const found = worths.get(grant.id);
        if (found === undefined) continue;
        const [row] = creditLiability([grant]);
        expect(row?.closing).toEqual({
          credits: found.left,
          amount: worthOf(found.worth, found.left),
        });
        compared += 1;
      }
    }),
    {},
    () => compared > 0,
  );
  expect(compared).toBeGreaterThan(0);
});

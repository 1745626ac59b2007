import fc from 'fast-check';
import type { MonthClosed } from '#account/periods.js';
import { history, opening } from '#account/histories.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { Calendar } from '#calendar/calendar.js';
import { draftInvoice } from './draft-invoice.js';
import { invoiceLines, isBillable } from './invoice-lines.js';
import { grantMonths, type MonthFacts, type UsageSum } from './month-facts.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { eventsOf, invoiceTerms } from './months.suite.js';

const RUNS = { numRuns: 240 };
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'] as const;
// Winter and summer time of both hemispheres, and a February of 29 days.
const STARTS = [Date.UTC(2026, 10, 24, 9), Date.UTC(2028, 0, 18, 23, 59, 59, 999)];
const zone = fc.constantFrom(...ZONES).map((name) => new Calendar(name));
const life = fc.record({
  account: opening,
  steps: history,
  zone,
  start: fc.constantFrom(...STARTS),
});

interface Life {
  readonly closes: readonly MonthClosed[];
  readonly months: readonly MonthFacts[];
  readonly running: MonthFacts | null;
}

/** A check on the months of any account, whatever its history, zone and time of year. */
function anyLife(look: (life: Life) => void) {
  return fc.property(life, ({ account, steps, zone: calendar, start }) => {
    const events = eventsOf(account, steps, calendar, start);
    const closes = events.flatMap((event) => (event.type === 'MonthClosed' ? [event.data] : []));
    const { closed, running } = monthFactsFromEvents(events, calendar);
    look({ closes, months: closed, running });
  });
}

function everyLife(look: (life: Life) => void): void {
  fc.assert(anyLife(look), RUNS);
}

function everyMonth(look: (facts: MonthFacts) => void): void {
  everyLife(({ months, running }) => {
    for (const facts of months) look(facts);
    if (running !== null) look(running);
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Splits a sum of calls in two that add up to it. */
function halves({ rule, kind, calls, credits }: UsageSum): UsageSum[] {
  const half = { calls: Math.floor(calls / 2), credits: Math.floor(credits / 3) };
  return [
    { rule, kind, ...half },
    { rule, kind, calls: calls - half.calls, credits: credits - half.credits },
  ];
}

describe('whatever happens to an account', () => {
  it('the lines of each month add up to what is billed of it', async () => {
    const seen = { overage: 0, carried: 0, running: 0 };
    const lines = anyLife(({ closes, months, running }) => {
      expect(months.map(({ month }) => month)).toEqual(closes.map(({ month }) => month));
      for (const [index, facts] of months.entries()) {
        const billing = invoiceLines(facts);
        const credits = sum(billing.map((line) => ('credits' in line ? line.credits : 0)));
        const billed = billing.find((line) => line.type === 'overage')?.billed_credits ?? 0;
        expect(credits).toBe(closes[index]?.overage);
        expect(billed).toBe(credits);
        if (billed > 0) seen.overage += 1;
        if (billing.some(({ type }) => type === 'carried')) seen.carried += 1;
      }
      if (running !== null) seen.running += invoiceLines(running).length;
    });
    await untilMet(lines, RUNS, () => Math.min(...Object.values(seen)) > 0);
    // A property over histories that never get there would prove nothing.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('the calls, credits, versions and grants are those that the close records', () => {
    everyLife(({ closes, months }) => {
      for (const [index, facts] of months.entries()) {
        const usage = invoiceLines(facts).filter((line) => line.type === 'usage');
        expect(sum(usage.map(({ calls }) => calls))).toBe(closes[index]?.calls);
        expect(sum(usage.map(({ credits }) => credits))).toBe(closes[index]?.credits);
        expect(facts.version).toEqual(closes[index]?.account_version);
        expect(new Map(facts.closing.grants)).toEqual(new Map(closes[index]?.grants));
      }
    });
  });

  it('what is left of the grants is the balance, and each month begins where the last one ended', () => {
    everyLife(({ months, running }) => {
      const all = running === null ? months : [...months, running];
      for (const [index, { opening: start, closing }] of all.entries()) {
        expect(sum(closing.grants.map(([, left]) => left))).toBe(Math.max(0, closing.balance));
        const before = all[index - 1];
        if (before === undefined) continue;
        expect(start.balance).toBe(before.closing.balance + before.closing.overage);
        expect(start.grants.map(({ ordinal, left }) => [ordinal, left])).toEqual(
          before.closing.grants,
        );
      }
    });
  });

  it('a grant pays for no more than it holds, over all months', () => {
    everyLife(({ months, running }) => {
      const spent = new Map<number, { credits: number; used: number }>();
      for (const facts of running === null ? months : [...months, running]) {
        for (const { ordinal, credits, covered, expired, voided } of grantMonths(facts)) {
          const used = (spent.get(ordinal)?.used ?? 0) + covered + expired + voided;
          spent.set(ordinal, { credits, used });
        }
      }
      for (const { credits, used } of spent.values()) expect(used).toBeLessThanOrEqual(credits);
    });
  });

  it('splitting the calls of a month differently changes nothing on its invoice', () => {
    everyMonth((facts) => {
      const split = { ...facts, usage: facts.usage.toReversed().flatMap(halves) };
      const draft = draftInvoice(facts, invoiceTerms());
      expect(draftInvoice(split, invoiceTerms())).toEqual(draft);
    });
  });

  it('net, tax and total are the sums of their parts', () => {
    everyMonth((facts) => {
      const { lines, net, tax, total, tax_breakdown: rows } = draftInvoice(facts, invoiceTerms());
      expect(net).toBe(sum(lines.map(({ amount }) => amount)));
      expect(sum(rows.map(({ taxable }) => taxable))).toBe(net);
      expect(sum(rows.map((row) => row.tax))).toBe(tax);
      expect(total).toBe(net + tax);
      expect(lines.map(({ n }) => n)).toEqual(lines.map((_line, index) => index + 1));
    });
  });

  it('a month without an invoice has nothing that costs money', () => {
    everyMonth((facts) => {
      if (isBillable(facts)) return;
      const paid = invoiceLines(facts).filter(({ type }) => /overage|purchase|fee/.test(type));
      expect(paid).toEqual([]);
    });
  });
});

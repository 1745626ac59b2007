import fc from 'fast-check';
import type { InvoiceRecord } from '#account/billing-events.js';
import { untilMet } from '#account/until-met.suite.js';
import { decideCredit, type CreditRequest } from './credit-notes.js';
import { payment, sealed, taxedAt, whole } from './credited-invoice.suite.js';
import { invoiceAccount } from './invoice-account.js';

const line = fc.oneof(
  fc.record({ line: fc.integer({ min: 1, max: 5 }), amount: fc.integer({ min: 0, max: 1_500 }) }),
  fc.record({ line: fc.constant(2), credits: fc.integer({ min: 0, max: 450 }) }),
);
const callCredit = fc.record({
  callId: fc.constantFrom('a', 'b', 'c', 'd'),
  credits: fc.integer({ min: 0, max: 60 }),
});
const request: fc.Arbitrary<CreditRequest> = fc.oneof(
  fc.record({ scope: fc.constant('lines' as const), lines: fc.array(line, { maxLength: 2 }) }),
  fc.record({
    scope: fc.constant('calls' as const),
    calls: fc.array(callCredit, { maxLength: 3 }),
  }),
);

/** Rates have at most four decimals: 8.875 of New York, 100. */
const rate = fc.oneof(
  fc.constantFrom(19, 8.875, 0.0001, 99.9999),
  fc.integer({ min: 1, max: 1_000_000 }).map((scaled) => scaled / 10_000),
);

test('however an invoice is credited in parts, never more than it is taken back, and all in the end', async () => {
  const seen = { taken: 0, refunded: 0, setOff: 0, both: 0 };
  const requested = fc.tuple(rate, fc.nat(1_000), fc.array(request, { maxLength: 25 }));
  await untilMet(
    fc.property(requested, ([percent, share, requests]) => {
      const taxed = taxedAt(percent);
      const paid = Math.floor((taxed.total * share) / 1_000);
      const records: InvoiceRecord[] = paid === 0 ? [] : [payment(paid)];
      const calls: string[] = [];
      for (const next of [...requests, whole]) {
        const before = invoiceAccount(taxed, records);
        const decision = decideCredit(before, next);
        if (decision.outcome === 'refused') continue;
        seen.taken += 1;
        if (next.scope === 'calls') {
          const credits = next.calls.reduce((sum, one) => sum + one.credits, 0);
          expect(decision.net).toBeLessThanOrEqual(Math.ceil(credits * 1.25));
        }
        const exact = (decision.net * percent) / 100;
        expect(Math.abs(decision.tax - exact)).toBeLessThanOrEqual(1);
        records.push(sealed(decision));
        calls.push(...decision.lines.flatMap(([, , callId]) => callId ?? []));
        const after = invoiceAccount(taxed, records);
        expect([...after.left.values()].every((amount) => amount >= 0)).toBe(true);
        expect(after.creditedTax).toBeLessThanOrEqual(taxed.tax);
        const { set_off: setOff, refund } = decision.settlement;
        expect([setOff + refund, Math.min(setOff, refund) >= 0]).toEqual([decision.total, true]);
        expect(setOff).toBe(Math.max(0, before.due) - Math.max(0, after.due));
        if (setOff > 0 && refund > 0) seen.both += 1;
        else if (refund > 0) seen.refunded += 1;
        else seen.setOff += 1;
      }
      const { creditedNet, creditedTax, due } = invoiceAccount(taxed, records);
      expect([creditedNet, creditedTax, due]).toEqual([taxed.net, taxed.tax, 0 - paid]);
      expect(new Set(calls).size).toBe(calls.length);
    }),
    { numRuns: 300 },
    () => Math.min(...Object.values(seen)) > 10,
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});

import fc from 'fast-check';
import { evolveAll } from '#account/advance.js';
import type { RecordBilling } from '#account/billing.js';
import type { Command } from '#account/commands.js';
import { decide } from '#account/decide.js';
import type { AccountEvent } from '#account/events.js';
import { type AccountState, initialState, type UnbilledPurchase } from '#account/state.js';
import type { BilledPurchase } from '#account/terms.js';
import { history, opening, type History } from '#account/histories.suite.js';
import { DAY, issueApiKey, openAccount, origin } from '#account/scenario.suite.js';
import { terms, TUESDAY, voidGrant } from '#account/scenario.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { invoiceLines, isBillable } from './invoice-lines.js';
import type { MonthFacts } from './month-facts.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { utc, withMonthly } from './months.suite.js';

const SEALED = {
  series: 'INV',
  issue_date: '2026-11-24',
  due_date: '2026-12-08',
  currency: 'USD',
  tax: 0,
  lines: 1,
  sha256: 'ab'.repeat(32),
  seller: null,
  buyer: null,
} as const;

/** Seals the invoice of a purchase, as it was when a process read it. */
function sealing({ grantId, amount }: UnbilledPurchase, after: number): RecordBilling {
  const of = { invoice_id: `invoice of ${grantId}`, grant_id: grantId, month: '2026-11' };
  const data = { ...SEALED, ...of, net: amount, total: amount };
  return { command: 'record-billing', origin, after, record: { type: 'InvoiceSealed', data } };
}

/** A line that bills a purchase: its grant and its net amount. */
type Amount = readonly [grantId: string, net: number];

/** An account's events, and the lines of the months whose invoices were sealed. */
interface Lived {
  readonly events: readonly AccountEvent[];
  readonly monthly: readonly (readonly Amount[])[];
}

function purchasesOf(facts: MonthFacts): BilledPurchase[] {
  return invoiceLines(facts).flatMap((line) =>
    line.type === 'purchase' ? [[line.grant_id, line.granted_credits, line.amount] as const] : [],
  );
}

/** Seals the invoice of a month, as it was when a process read it. */
function sealingMonth(facts: MonthFacts, after: number): RecordBilling {
  const { month } = facts;
  const data = { ...SEALED, invoice_id: `invoice of ${month}`, month, net: 0, total: 0 };
  const record = { type: 'InvoiceSealed' as const, data };
  return { command: 'record-billing', origin, after, record, bills: purchasesOf(facts) };
}

/**
 * The events of an account whose service is upgraded before a step, until all that was bought is
 * due. After steps in `seals` two processes seal what they read before that step, or at once;
 * before steps in `voids` an operator voids the oldest purchase.
 */
function lived(
  account: Parameters<typeof openAccount>[0],
  steps: History,
  upgrade: number,
  { seals, voids }: { readonly seals: readonly boolean[]; readonly voids: readonly boolean[] },
): Lived {
  const monthly: Amount[][] = [];
  const events: AccountEvent[] = [];
  let at = TUESDAY;
  let state = initialState;
  const apply = (command: Command, seen = state): boolean => {
    const decision = decide(seen, command, at, terms);
    state = evolveAll(state, decision.events);
    events.push(...decision.events);
    return decision.refusal === null;
  };
  const seal = (seen: AccountState): void => {
    for (const { billing, version } of [seen, state]) {
      for (const purchase of billing.unbilled) apply(sealing(purchase, state.billing.version));
      const { closed } = monthFactsFromEvents(events.slice(0, version), utc);
      for (const facts of closed.filter(isBillable)) {
        if (!apply(sealingMonth(facts, state.billing.version))) continue;
        monthly.push(purchasesOf(facts).map(([grantId, , net]) => [grantId, net]));
      }
    }
  };
  apply(openAccount(account));
  apply(issueApiKey());
  apply(issueApiKey({ keyId: 'key-2' }));
  for (const [index, [pause, next]] of steps.entries()) {
    const before = state;
    at += pause;
    const oldest = state.grants.find(({ worth }) => worth !== undefined);
    if (voids[index] === true && oldest !== undefined) apply(voidGrant(oldest.id));
    const command = next(at, state);
    const isOld = index < upgrade && command.command === 'grant-credits';
    apply(command, isOld ? withMonthly(state) : state);
    if (seals[index] === true) seal(before);
  }
  at += 40 * DAY;
  apply({ command: 'tick' });
  seal(state);
  return { events, monthly };
}

function sorted(amounts: readonly Amount[]): readonly string[] {
  return amounts.map(([grantId, net]) => `${grantId} ${net}`).toSorted();
}

test('each purchase is billed once, by its own invoice or its month, also around an upgrade', async () => {
  const seen = { monthly: 0, atOnce: 0, both: 0, voided: 0, lowered: 0, since: 0 };
  const some = (one: number) =>
    fc.array(
      fc.nat(one).map((at) => at === 0),
      { minLength: 60, maxLength: 60 },
    );
  const when = fc.record({ seals: some(4), voids: some(5) });
  await untilMet(
    fc.property(opening, history, fc.nat(60), when, (account, steps, upgrade, moments) => {
      const lives = lived(account, steps, upgrade, moments);
      const { events } = lives;
      const monthly = lives.monthly.flat();
      const { closed } = monthFactsFromEvents(events, utc);
      seen.since += closed.flatMap(({ voidedSince = [] }) => voidedSince).length;
      // The lines that follow from all events are those that were sealed.
      const follow = closed.flatMap(purchasesOf).map(([id, , net]) => [id, net] as const);
      expect(sorted(follow)).toEqual(sorted(monthly));
      const own = events.flatMap(({ type, data }) =>
        type === 'InvoiceSealed' && data.grant_id !== undefined
          ? [[data.grant_id, data.net] as const]
          : [],
      );
      const voids = events.flatMap(({ type, data }) => (type === 'GrantVoided' ? [data] : []));
      const due = events.flatMap(({ type, data }): Amount[] => {
        if (type !== 'CreditsGranted' || data.price === null) return [];
        const unbilled = voids.find(
          ({ grant_id: id, refund_by: by }) => id === data.grant_id && by?.endsWith('_invoice'),
        );
        if (unbilled?.refund_by === 'no_invoice') seen.voided += 1;
        else if (unbilled !== undefined) seen.lowered += 1;
        if (unbilled?.refund_by === 'no_invoice') return [];
        return [[data.grant_id, data.price - (unbilled?.refund ?? 0)]];
      });
      expect(sorted([...monthly, ...own])).toEqual(sorted(due));
      seen.monthly += monthly.length;
      seen.atOnce += own.length;
      if (monthly.length > 0 && own.length > 0) seen.both += 1;
    }),
    { numRuns: 600 },
    () => Math.min(...Object.values(seen)) > 0,
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

import fc from 'fast-check';
import { evolveAll } from '#account/advance.js';
import type { Command } from '#account/commands.js';
import { decide } from '#account/decide.js';
import type { AccountEvent } from '#account/events.js';
import { history, opening, type History } from '#account/histories.suite.js';
import { DAY, issueApiKey, openAccount, origin, terms, TUESDAY } from '#account/scenario.suite.js';
import { initialState, type AccountState, type UnbilledPurchase } from '#account/state.js';
import { invoiceLines } from './invoice-lines.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { utc } from './months.suite.js';

/** Seals the invoice of a purchase, as it was when a process read it. */
function sealing({ grantId, amount }: UnbilledPurchase, after: number): Command {
  const data = {
    invoice_id: `invoice of ${grantId}`,
    grant_id: grantId,
    month: '2026-11',
    series: 'INV' as const,
    issue_date: '2026-11-24',
    due_date: '2026-12-08',
    currency: 'USD',
    net: amount,
    tax: 0,
    total: amount,
    lines: 1,
    sha256: 'ab'.repeat(32),
    seller: null,
    buyer: null,
  };
  return { command: 'record-billing', origin, after, record: { type: 'InvoiceSealed', data } };
}

/** A version that invoices purchases with their month decides so whatever was said. */
function asBefore(state: AccountState): AccountState {
  return { ...state, billing: { ...state.billing, purchases: 'monthly' } };
}

/**
 * The events of an account whose service is upgraded before a step, until all that was bought is
 * due. After steps in `seals` two processes seal what they read before that step, or at once.
 */
function lived(
  account: Parameters<typeof openAccount>[0],
  steps: History,
  upgrade: number,
  seals: readonly boolean[],
): readonly AccountEvent[] {
  const events: AccountEvent[] = [];
  let at = TUESDAY;
  let state = initialState;
  const apply = (command: Command, seen = state): void => {
    const decision = decide(seen, command, at, terms);
    state = evolveAll(state, decision.events);
    events.push(...decision.events);
  };
  const seal = (seen: AccountState): void => {
    for (const { billing } of [seen, state]) {
      for (const purchase of billing.unbilled) apply(sealing(purchase, state.billing.version));
    }
  };
  apply(openAccount(account));
  apply(issueApiKey());
  apply(issueApiKey({ keyId: 'key-2' }));
  for (const [index, [pause, next]] of steps.entries()) {
    const before = state;
    at += pause;
    const command = next(at, state);
    const isOld = index < upgrade && command.command === 'grant-credits';
    apply(command, isOld ? asBefore(state) : state);
    if (seals[index] === true) seal(before);
  }
  at += 40 * DAY;
  apply({ command: 'tick' });
  seal(state);
  return events;
}

type Amount = readonly [grantId: string, net: number];

function sorted(amounts: readonly Amount[]): readonly string[] {
  return amounts.map(([grantId, net]) => `${grantId} ${net}`).toSorted();
}

test('each purchase is billed once, by its own invoice or its month, also around an upgrade', () => {
  const seen = { monthly: 0, atOnce: 0, both: 0, voided: 0, lowered: 0 };
  const life = fc.tuple(opening, history, fc.nat(60), fc.array(fc.boolean(), { minLength: 60 }));
  fc.assert(
    fc.property(life, ([account, steps, upgrade, seals]) => {
      const events = lived(account, steps, upgrade, seals);
      const monthly = monthFactsFromEvents(events, utc).closed.flatMap((facts) =>
        invoiceLines(facts).flatMap((line) =>
          line.type === 'purchase' ? [[line.grant_id, line.amount] as const] : [],
        ),
      );
      const own = events.flatMap(({ type, data }) =>
        type === 'InvoiceSealed' ? [[data.grant_id ?? '', data.net] as const] : [],
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
    { numRuns: 300 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

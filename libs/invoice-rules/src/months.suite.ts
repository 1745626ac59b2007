import { evolveAll } from '#account/advance.js';
import type { Command } from '#account/commands.js';
import { decide } from '#account/decide.js';
import type { AccountEvent } from '#account/events.js';
import { type AccountState, initialState } from '#account/state.js';
import type { History } from '#account/histories.suite.js';
import { issueApiKey, openAccount, terms, TUESDAY } from '#account/scenario.suite.js';
import { Calendar } from '#calendar/calendar.js';
import type { InvoiceTerms } from './draft-invoice.js';
import type { MonthFacts } from './month-facts.js';

export const utc = new Calendar('UTC');

export const seller = {
  name: 'Index GmbH',
  address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
  vat_id: 'ATU12345675',
  email: 'billing@index.example',
  iban: 'AT611904300234573201',
  payment_days: 14,
};

export const buyer = {
  name: 'Nails & Co',
  address: { line1: '1 High Street', city: 'Leeds', postcode: 'LS1 1AA', country: 'GB' },
  email: 'accounts@nails.example',
};

export function invoiceTerms(changes: Partial<InvoiceTerms> = {}): InvoiceTerms {
  return {
    id: '0198a6f0-0000-8000-8000-000000000010',
    accountId: '0198a6f0-0000-7000-8000-000000000001',
    currency: 'EUR',
    issueDate: '2026-11-01',
    dueDate: '2026-11-15',
    seller,
    buyer,
    ...changes,
  };
}

/** A month in which nothing happened, but for what is given. */
export function factsOf(changes: Partial<MonthFacts> = {}): MonthFacts {
  return {
    month: '2026-10',
    plan: null,
    usage: [],
    opening: { balance: 0, grants: [] },
    movements: [],
    closing: { balance: 0, overage: 0, carried: 0, grants: [] },
    version: { from: 1, to: 9 },
    ...changes,
  };
}

/** Whatever a history asks for, purchased credits have a price that no rounding spares. */
function priced(command: Command): Command {
  if (command.command !== 'grant-credits' || command.credits % 2 === 0) return command;
  return { ...command, price: (command.credits * 7) % 1_009 };
}

/** An account whose purchases stay on their month's invoice. */
export function withMonthly(state: AccountState): AccountState {
  return { ...state, billing: { ...state.billing, purchases: 'monthly' } };
}

/** All events of an account with a history in a zone, refused commands left out. */
export function eventsOf(
  account: Parameters<typeof openAccount>[0],
  steps: History,
  calendar: Calendar = utc,
  from = TUESDAY,
  /** Purchases stay on their month's invoice. */
  isMonthly = false,
): AccountEvent[] {
  const events: AccountEvent[] = [];
  let at = from;
  let state = initialState;
  const apply = (command: Command): void => {
    const before = isMonthly && command.command === 'grant-credits' ? withMonthly(state) : state;
    const decision = decide(before, priced(command), at, { ...terms, calendar });
    state = evolveAll(state, decision.events);
    events.push(...decision.events);
  };
  for (const command of [openAccount(account), issueApiKey(), issueApiKey({ keyId: 'key-2' })]) {
    apply(command);
  }
  for (const [pause, next] of steps) {
    at += pause;
    apply(next(at, state));
  }
  return events;
}

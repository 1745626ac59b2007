import type { BillingDetailsChanged } from './billing-events.js';
import type { AccountState, Billing } from './state.js';

/** What is decided about invoices is decided on everything that happened to them. */
export function billed(state: AccountState, changes: Partial<Billing> = {}): Partial<AccountState> {
  return { billing: { ...state.billing, version: state.version + 1, ...changes } };
}

/** The billing details are said anew, all of them. */
export function billingSaid(
  { billing: { version, invoicedMonth } }: AccountState,
  { profile, tax }: BillingDetailsChanged,
): Partial<AccountState> {
  return { billing: { version, invoicedMonth, profile, ...(tax !== undefined && { tax }) } };
}

import type { BillingDetailsChanged } from './billing-events.js';
import type { AccountState, Billing } from './state.js';

/** Counts the version on which decisions about invoices are based. */
export function billed(state: AccountState, changes: Partial<Billing> = {}): Partial<AccountState> {
  return { billing: { ...state.billing, version: state.version + 1, ...changes } };
}

/** Replaces the billing details. */
export function billingSaid(
  { billing: { version, invoicedMonth } }: AccountState,
  { profile, tax }: BillingDetailsChanged,
): Partial<AccountState> {
  return { billing: { version, invoicedMonth, profile, ...(tax !== undefined && { tax }) } };
}

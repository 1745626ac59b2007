import type { ChangeBilling, RecordBilling } from './commands.js';
import type { AccountEvent, Tax } from './events.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';

/** Null where the same details are in force. */
export function changeBilling(
  state: AccountState,
  { origin, profile, tax }: ChangeBilling,
  at: number,
): AccountEvent | null {
  const { billing } = state;
  if (billing.profile?.sha256 === profile.sha256 && isSameTax(billing.tax, tax)) return null;
  const data = { ...origin, profile, ...(tax !== undefined && { tax }) };
  return { type: 'BillingDetailsChanged', at, data };
}

/** Whatever the order of their members. */
function isSameTax(one?: Tax, other?: Tax): boolean {
  return (
    one?.category === other?.category &&
    one?.rate_percent === other?.rate_percent &&
    one?.reason === other?.reason
  );
}

/** A month is invoiced once, after its close, and never one before a month that was invoiced. */
function refuseMonth({ lastClose, billing }: AccountState, month: string): Refusal | null {
  if (lastClose === null || month > lastClose.month) return conflict(`${month} is not closed yet.`);
  if (billing.invoicedMonth === null || month > billing.invoicedMonth) return null;
  return conflict(`${billing.invoicedMonth} is invoiced, so that ${month} cannot be any more.`);
}

/**
 * Records what was decided about an invoice, which takes all that happened to the account's
 * invoices: refused when something happened to them since, so that nothing is credited or paid
 * twice.
 */
export function recordBilling(
  state: AccountState,
  { origin, after, record }: RecordBilling,
  at: number,
): AccountEvent | Refusal {
  const { version } = state.billing;
  if (after !== version) return { reason: 'billing-moved', version };
  if (record.type === 'InvoiceSealed') {
    const refusal = refuseMonth(state, record.data.month);
    if (refusal !== null) return refusal;
  }
  return { type: record.type, at, data: { ...origin, ...record.data } } as AccountEvent;
}

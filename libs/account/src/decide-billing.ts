import type { ChangeBilling, RecordBilling } from './commands.js';
import type { AccountEvent } from './events.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';

/** Null where the same details are in force. */
export function changeBilling(
  state: AccountState,
  { origin, profile }: ChangeBilling,
  at: number,
): AccountEvent | null {
  if (state.billing.profile?.sha256 === profile.sha256) return null;
  return { type: 'BillingDetailsChanged', at, data: { ...origin, profile } };
}

/** A month is invoiced once, after its close, and never one before a month that was invoiced. */
function refuseMonth({ lastClose, billing }: AccountState, month: string): Refusal | null {
  if (lastClose === null || month > lastClose.month) return conflict(`${month} is not closed yet.`);
  if (billing.invoicedMonth === null || month > billing.invoicedMonth) return null;
  return conflict(`${billing.invoicedMonth} is invoiced, so that ${month} cannot be any more.`);
}

/**
 * Records what was decided about an invoice, which takes all that happened to the account's invoices:
 * refused when something happened to them since, so that nothing is credited or paid twice.
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

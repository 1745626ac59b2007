import type { BillingDetailsChanged, CreditNoteSealed, InvoiceSealed } from './billing-events.js';
import { isOfMonth, type BillingEntry } from './billing-events.js';
import { balanceChange } from './settlement.js';
import type { CreditsGranted, GrantVoided } from './events.js';
import type { AccountState, Billing, DueApplication } from './state.js';

/** Counts the version on which decisions about invoices are based, and the credit balance. */
export function billed(
  { billing, version }: AccountState,
  entry: BillingEntry,
  changes: Partial<Billing> = {},
): Partial<AccountState> {
  const balance = billing.balance + balanceChange(entry);
  return { billing: { ...billing, version: version + 1, balance, ...changes } };
}

/** Replaces the billing details. */
export function billingSaid(
  { billing: { tax: _tax, purchases: _purchases, ...kept } }: AccountState,
  { profile, tax, purchases }: BillingDetailsChanged,
): Partial<AccountState> {
  const said = { ...(tax !== undefined && { tax }), ...(purchases !== undefined && { purchases }) };
  return { billing: { ...kept, profile, ...said } };
}

/** A month is invoiced, one purchase, or what a voided invoice billed. */
export function invoiceSealed(state: AccountState, data: InvoiceSealed): Partial<AccountState> {
  const { unbilled, reissues } = state.billing;
  const entry = { type: 'InvoiceSealed', data } as const;
  const applying = applicationTo(state, data);
  if (isOfMonth(data)) {
    const { month: invoicedMonth } = data;
    const later = unbilled.filter(({ month }) => month === undefined || month > invoicedMonth);
    return billed(state, entry, { applying, invoicedMonth, unbilled: later });
  }
  return billed(state, entry, {
    applying,
    unbilled: unbilled.filter((one) => one.grantId !== data.grant_id),
    reissues: reissues.filter((one) => one.invoiceId !== data.invoice_id),
  });
}

function applicationTo(
  { billing: { balance } }: AccountState,
  { invoice_id: invoiceId, total, issue_date: date }: InvoiceSealed,
): DueApplication | null {
  const amount = Math.min(balance, total);
  return amount > 0 ? { invoiceId, amount, date } : null;
}

/** A refund has its credit note, credits of purchases go with one, or an invoice is reissued. */
export function creditNoteSealed(
  state: AccountState,
  data: CreditNoteSealed,
): Partial<AccountState> {
  const { grant_id: grantId, credit_note_id: creditNoteId, purchases = [], kept_as: kept } = data;
  const { invoice_id: of, reissued_as: invoiceId } = data;
  const { refunds, reissues } = state.billing;
  const entry = { type: 'CreditNoteSealed', data } as const;
  return billed(state, entry, {
    refunds: refunds.filter((one) => one.grantId !== grantId),
    reissues: invoiceId === undefined ? reissues : [...reissues, { invoiceId, of }],
    voids: purchases.map((purchase, index) => {
      const keptAs = kept?.[index];
      return { purchase, creditNoteId, ...(keptAs !== undefined && { keptAs }) };
    }),
  });
}

/** The account's billing with one more purchase to invoice, or one that a credit note left. */
export function withPurchase(
  { billing, version }: AccountState,
  { price, grant, grant_id: grantId, credits, invoiced, credit_note_id: noteId }: CreditsGranted,
  at: number,
): Billing {
  if (noteId !== undefined) return { ...billing, voids: billing.voids.slice(1) };
  if (price === null) return billing;
  const isMonthly = invoiced === undefined;
  const purchase = { grant, grantId, credits, amount: price, version: version + 1, at, isMonthly };
  return { ...billing, unbilled: [...billing.unbilled, purchase] };
}

/** The account's billing once a month is closed, whose invoice bills its purchases. */
export function withMonth({ billing }: AccountState, month: string): Billing {
  const unbilled = billing.unbilled.map((purchase) =>
    purchase.isMonthly ? { month, ...purchase } : purchase,
  );
  return { ...billing, unbilled };
}

/** The credits of the first purchase are taken back; what is kept of them is granted next. */
function afterCredited(
  [going, ...rest]: Billing['voids'],
  credits: number,
  grants: AccountState['grants'],
): Billing['voids'] {
  const grant = grants.find(({ id }) => id === going?.purchase[0]);
  if (going?.keptAs === undefined || grant === undefined || credits === 0) return rest;
  const { priority, expiresAt } = grant;
  return [{ ...going, kept: { credits, priority, expiresAt } }, ...rest];
}

/** The account's billing once what was paid for a grant is given back, or forfeited. */
export function afterVoid(
  { billing, grants }: AccountState,
  { grant_id: grantId, credits, refund = 0, refund_by: by, credit_note_id: noteId }: GrantVoided,
): Billing {
  const { unbilled, refunds, voids } = billing;
  if (noteId !== undefined) return { ...billing, voids: afterCredited(voids, credits, grants) };
  switch (by) {
    case undefined:
      return billing;
    case 'credit_note':
      return { ...billing, refunds: [...refunds, { grantId, amount: refund }] };
    case 'no_invoice':
      return { ...billing, unbilled: unbilled.filter((one) => one.grantId !== grantId) };
    case 'lower_invoice':
      return {
        ...billing,
        unbilled: unbilled.map((one) => {
          if (one.grantId !== grantId) return one;
          return { ...one, credits: one.credits - credits, amount: one.amount - refund };
        }),
      };
  }
}

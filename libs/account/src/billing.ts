import {
  balanceChange,
  type BillingDetailsChanged,
  type BillingEntry,
  type CreditNoteSealed,
  type InvoiceEvent,
  type InvoiceRecord,
  type InvoiceSealed,
  isOfMonth,
} from './billing-events.js';
import type { EventOf } from './event-type.js';
import { creditsLeft } from './limits.js';
import { conflict, type Refusal } from './refusal.js';
import { creditsWorth, worthOf } from './rounding.js';
import type { AccountState, Billing, DueApplication } from './state.js';
import type { BilledPurchase, CreditedPurchase, Origin, ProfileReference, Tax } from './terms.js';

/** Says whom invoices are addressed to. */
export interface ChangeBilling {
  readonly command: 'change-billing';
  readonly origin: Origin;
  readonly profile: ProfileReference;
  /** Of what no plan taxes; absent: nothing is said. */
  readonly tax?: Tax;
  /** Purchases stay on their month's invoice; absent: they do not. */
  readonly purchases?: 'monthly';
}

/** Records what was decided about an invoice, on all events about invoices up to `after`. */
export interface RecordBilling {
  readonly command: 'record-billing';
  readonly origin: Origin;
  /** The account's `billing.version` that it was decided at. */
  readonly after: number;
  readonly record: InvoiceRecord;
  /** The call that it gives back alone. */
  readonly callId?: string;
  /** Purchases of which a credit note gives net amounts back: their unused credits go with it. */
  readonly purchases?: readonly (readonly [grantId: string, amount: number])[] | undefined;
  /** Ids of promotional grants that these credits are kept as, in that order; absent: they go. */
  readonly keptAs?: readonly string[] | undefined;
  /** Purchases that a month's invoice bills: refused if a part of one was voided since. */
  readonly bills?: readonly BilledPurchase[];
}

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

/** Null where the same details are in force. An erased account gets no names any more. */
export function changeBilling(
  state: AccountState,
  { origin, profile, tax, purchases }: ChangeBilling,
  at: number,
): EventOf<'BillingDetailsChanged', BillingDetailsChanged> | Refusal | null {
  if (state.erasedAt !== null) return { reason: 'account-closed' };
  const { billing } = state;
  const isSame = isSameTax(billing.tax, tax) && billing.purchases === purchases;
  if (billing.profile?.sha256 === profile.sha256 && isSame) return null;
  const said = { ...(tax !== undefined && { tax }), ...(purchases !== undefined && { purchases }) };
  return { type: 'BillingDetailsChanged', at, data: { ...origin, profile, ...said } };
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

/** A month's purchases are invoiced as they are: unused credits may have been voided since. */
function refusePurchases(
  { billing: { unbilled, version } }: AccountState,
  month: string,
  bills: readonly BilledPurchase[],
): Refusal | null {
  const due = unbilled.filter((one) => one.month === month);
  const isSame =
    bills.length === due.length &&
    due.every(({ grantId, credits, amount }, index) => {
      const [id, billedCredits, net] = bills[index] ?? [];
      return id === grantId && billedCredits === credits && net === amount;
    });
  return isSame ? null : { reason: 'billing-moved', version };
}

/** A purchase is invoiced once, and as it is: its unused credits may have been voided since. */
function refuseInvoice(
  state: AccountState,
  data: Omit<InvoiceSealed, keyof Origin>,
  bills: RecordBilling['bills'],
): Refusal | null {
  if (isOfMonth(data)) {
    const refusal = refuseMonth(state, data.month);
    if (refusal !== null || bills === undefined) return refusal;
    return refusePurchases(state, data.month, bills);
  }
  const { unbilled, reissues, version } = state.billing;
  const { invoice_id: id, grant_id: grantId, reissues: of, net } = data;
  if (of !== undefined) {
    const isDue = reissues.some((one) => one.invoiceId === id && one.of === of);
    return isDue ? null : conflict(`Invoice ${of} is not to be issued again.`);
  }
  const purchase = unbilled.find((one) => one.grantId === grantId && !one.isMonthly);
  if (purchase === undefined) return conflict(`Purchase ${grantId ?? ''} is not to be invoiced.`);
  return purchase.amount === net ? null : { reason: 'billing-moved', version };
}

function refuseRefund(
  { billing }: AccountState,
  { grant_id: grantId }: Omit<CreditNoteSealed, keyof Origin>,
): Refusal | null {
  if (grantId === undefined || billing.refunds.some((one) => one.grantId === grantId)) return null;
  return conflict(`No credit note is due for grant ${grantId}.`);
}

/** The unused credits of a purchase that go with an amount of its price; at most all of them. */
function creditedPurchase(
  { grants, currency }: AccountState,
  [grantId, amount]: readonly [string, number],
): CreditedPurchase | Refusal {
  const grant = grants.find(({ id }) => id === grantId);
  const worth = grant?.worth === undefined ? 0 : worthOf(grant.worth, grant.left);
  if (grant === undefined || amount > worth) {
    const unusedCredits = grant?.left ?? 0;
    return { reason: 'purchase-used', grantId, unusedCredits, worth, currency };
  }
  return [grantId, creditsWorth(amount, grant.left, worth), amount];
}

/**
 * Records what was decided about an invoice, which takes all that happened to the account's
 * invoices: refused when something happened to them since, so that nothing is credited or paid
 * twice. Unused credits go with what is credited of their purchase, or are kept as promotional
 * ones.
 */
export function recordBilling(
  state: AccountState,
  { origin, after, record, purchases, keptAs, bills }: RecordBilling,
  at: number,
): InvoiceEvent | Refusal {
  const { version, balance } = state.billing;
  if (after !== version) return { reason: 'billing-moved', version };
  if (balance + balanceChange(record) < 0) {
    return { reason: 'credit-balance-too-low', balance, currency: state.currency };
  }
  if (record.type === 'InvoiceSealed') {
    const refusal = refuseInvoice(state, record.data, bills);
    if (refusal !== null) return refusal;
  }
  if (record.type !== 'CreditNoteSealed') {
    return { type: record.type, at, data: { ...origin, ...record.data } } as InvoiceEvent;
  }
  const refusal = refuseRefund(state, record.data);
  if (refusal !== null) return refusal;
  const credited: CreditedPurchase[] = [];
  for (const asked of purchases ?? []) {
    const purchase = creditedPurchase(state, asked);
    if ('reason' in purchase) return purchase;
    credited.push(purchase);
  }
  const kept = keptAs === undefined || credited.length === 0 ? {} : { kept_as: keptAs };
  const credits = credited.reduce((sum, [, gone]) => sum + gone, 0);
  if (keptAs !== undefined && credits > creditsLeft(state)) {
    return conflict(
      `Only ${creditsLeft(state)} more credits can be granted: these cannot be kept.`,
    );
  }
  const going = credited.length > 0 ? { purchases: credited, ...kept } : {};
  return { type: 'CreditNoteSealed', at, data: { ...origin, ...record.data, ...going } };
}

import type { EventOf } from './event-type.js';
import type { CreditedPurchase, Origin, ProfileReference, Tax } from './terms.js';

// As in events.ts: these names are the stored format, for ever. Amounts are minor units of the
// invoice's currency; dates are local dates of the billing zone, `2026-11-01`.

/** Numbers are gapless within a series; test accounts have their own. */
export type InvoiceSeries = 'INV' | 'TEST-INV';

export type CreditNoteSeries = 'CN' | 'TEST-CN';

/** The complete new billing details, stored in a row of personal texts. */
export interface BillingDetailsChanged extends Origin {
  readonly profile: ProfileReference;
  /** Of what no plan taxes; absent: nothing was said. */
  readonly tax?: Tax;
  /** Purchases stay on their month's invoice; absent: each gets its own at once. */
  readonly purchases?: 'monthly';
}

/** Content of a month's document, sealed before it has a number. */
interface SealedContent extends Origin {
  readonly invoice_id: string;
  /** Month of supply. */
  readonly month: string;
  readonly issue_date: string;
  readonly currency: string;
  readonly net: number;
  readonly tax: number;
  readonly total: number;
  /** Of the document without its number, hex: a row of personal texts that was there before. */
  readonly sha256: string;
}

/**
 * The invoice of a closed month, of one purchase, or in the place of a voided one. It happens once,
 * because its id is that of its command.
 */
export interface InvoiceSealed extends SealedContent {
  readonly series: InvoiceSeries;
  readonly due_date: string;
  /** Tax of the billing details, where no plan with a tax was in force; of a purchase: its tax. */
  readonly billing_tax?: Tax;
  /** The purchase that it is of. */
  readonly grant_id?: string;
  /** The voided invoice whose lines it issues again, with party and tax as they are now. */
  readonly reissues?: string;
  /** Number of its lines. */
  readonly lines: number;
  /** Rows of personal texts as they were; null: not filled in. */
  readonly seller: ProfileReference | null;
  readonly buyer: ProfileReference | null;
}

/** A line of an invoice, what of it is credited (positive, net), and the call that it is for. */
export type CreditedLine = readonly [line: number, amount: number, callId?: string];

/** A part of an invoice, or what was left of it, is taken back. Amounts are positive. */
export interface CreditNoteSealed extends SealedContent {
  readonly credit_note_id: string;
  readonly series: CreditNoteSeries;
  readonly lines: readonly CreditedLine[];
  /** The voided purchase that it refunds. */
  readonly grant_id?: string;
  /** Purchases whose unused credits go with it, at once. */
  readonly purchases?: readonly CreditedPurchase[];
  /** Promotional grants of the same credits, by the purchases; absent: the credits are gone. */
  readonly kept_as?: readonly string[];
  /** The invoice that takes the place of the voided one: no credits go. */
  readonly reissued_as?: string;
  /** Of what was paid of the invoice, the part that is credit balance from then on. */
  readonly to_balance?: number;
  /** Of what was written off of the invoice, the part that it takes back. */
  readonly write_off?: number;
}

/** Whether an invoice is the one of a closed month. */
export function isOfMonth({
  grant_id: grantId,
  reissues,
}: Pick<InvoiceSealed, 'grant_id' | 'reissues'>): boolean {
  return grantId === undefined && reissues === undefined;
}

/** A part of an amount that is set against an invoice. */
export type AppliedAmount = readonly [invoiceId: string, amount: number];

export interface PaymentRecorded extends Origin {
  readonly payment_id: string;
  /** The invoice that it was recorded of; null: it was recorded of the account. */
  readonly invoice_id: string | null;
  readonly amount: number;
  readonly currency: string;
  /** When it was paid. */
  readonly date: string;
  readonly reference: string | null;
  /**
   * Invoices that it pays. What is over is credit balance; what is short is taken from it. Absent
   * (older versions): all of it pays `invoice_id`.
   */
  readonly applied?: readonly AppliedAmount[];
}

/** Money is paid back to the customer. */
export interface RefundRecorded extends Origin {
  readonly refund_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly date: string;
  readonly reference: string | null;
  /** Invoices of which it pays back what was overpaid; the rest is of the credit balance. */
  readonly applied: readonly AppliedAmount[];
}

/** A part of an invoice is not expected to be paid any more; below zero it is after all. */
export interface WriteOffRecorded extends Origin {
  readonly write_off_id: string;
  readonly invoice_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly date: string;
}

/** The credit balance pays a new invoice, as far as it goes. */
export interface CreditBalanceApplied {
  readonly invoice_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly date: string;
}

/** The day after the due date has begun, and something is due. Once for each invoice. */
export interface InvoiceOverdue extends Origin {
  readonly invoice_id: string;
  readonly due_date: string;
  readonly due: number;
  readonly currency: string;
}

/**
 * A day after the due date on which the seller reminds has come, and something is due. Once for
 * each invoice and day.
 */
export interface ReminderDue extends Origin {
  readonly invoice_id: string;
  readonly number: string;
  /** Days after the due date. */
  readonly days: number;
  readonly due_date: string;
  readonly due: number;
  readonly currency: string;
}

/** No more reminders of an invoice, or again. */
export interface RemindersSet extends Origin {
  readonly invoice_id: string;
  readonly stopped: boolean;
}

/** Events about invoices, each decided on all earlier events about the account's invoices. */
export type InvoiceRecord =
  | { readonly type: 'InvoiceSealed'; readonly data: Omit<InvoiceSealed, keyof Origin> }
  | { readonly type: 'CreditNoteSealed'; readonly data: Omit<CreditNoteSealed, keyof Origin> }
  | { readonly type: 'PaymentRecorded'; readonly data: Omit<PaymentRecorded, keyof Origin> }
  | { readonly type: 'RefundRecorded'; readonly data: Omit<RefundRecorded, keyof Origin> }
  | { readonly type: 'WriteOffRecorded'; readonly data: Omit<WriteOffRecorded, keyof Origin> }
  | { readonly type: 'InvoiceOverdue'; readonly data: Omit<InvoiceOverdue, keyof Origin> }
  | { readonly type: 'ReminderDue'; readonly data: Omit<ReminderDue, keyof Origin> }
  | { readonly type: 'RemindersSet'; readonly data: Omit<RemindersSet, keyof Origin> };

/** The same as events, which state their origin. */
export type InvoiceEvent = {
  [Of in InvoiceRecord as Of['type']]: EventOf<Of['type'], Of['data'] & Origin>;
}[InvoiceRecord['type']];

/** A credit note as it is decided. */
export type CreditNoteRecord = Extract<InvoiceRecord, { type: 'CreditNoteSealed' }>;

/** Everything that happens to invoices: what was decided, and what follows from it. */
export type BillingEntry =
  InvoiceRecord | { readonly type: 'CreditBalanceApplied'; readonly data: CreditBalanceApplied };

// How money and invoices meet: every amount stands once here, for decisions, states and journals.

/** Amounts that an event sets against invoices: paid above zero, taken back below. */
export function appliedAmounts({ type, data }: BillingEntry): readonly AppliedAmount[] {
  switch (type) {
    case 'PaymentRecorded':
      if (data.applied !== undefined) return data.applied;
      return data.invoice_id === null ? [] : [[data.invoice_id, data.amount]];
    case 'RefundRecorded':
      return data.applied.map(([id, amount]) => [id, -amount]);
    case 'CreditNoteSealed':
      return data.to_balance === undefined ? [] : [[data.invoice_id, -data.to_balance]];
    case 'CreditBalanceApplied':
      return [[data.invoice_id, data.amount]];
    case 'InvoiceSealed':
    case 'WriteOffRecorded':
    case 'InvoiceOverdue':
    case 'ReminderDue':
    case 'RemindersSet':
      return [];
  }
}

/** The amount that an event writes off of an invoice; below zero it takes that back. */
export function writtenOff({ type, data }: BillingEntry): AppliedAmount | null {
  if (type === 'WriteOffRecorded') return [data.invoice_id, data.amount];
  if (type !== 'CreditNoteSealed' || data.write_off === undefined) return null;
  return [data.invoice_id, -data.write_off];
}

/** Money that came in with an event; below zero it went out. */
export function moneyOf({ type, data }: BillingEntry): number {
  if (type === 'PaymentRecorded') return data.amount;
  return type === 'RefundRecorded' ? -data.amount : 0;
}

/** The change of the credit balance: money that no invoice got, or what invoices gave back. */
export function balanceChange(entry: BillingEntry): number {
  return appliedAmounts(entry).reduce((rest, [, amount]) => rest - amount, moneyOf(entry));
}

/** The credit balance after all entries of an account. */
export function creditBalance(entries: readonly BillingEntry[]): number {
  return entries.reduce((balance, entry) => balance + balanceChange(entry), 0);
}

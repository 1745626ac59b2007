import type { Endpoint } from './electronic-addresses.js';
import type { CallKind, Plan } from '#account/terms.js';
import type { DatevSettings, JournalAccounts } from './ledger-accounts.js';

// The shape in which invoices and credit notes are issued, stored and served: members may be added,
// never renamed or removed. Amounts are integers in minor units of the currency; dates are local
// dates in the billing zone (`2026-11-01`).

export type TaxCategory = Plan['tax']['category'];

export interface Address {
  readonly line1: string;
  readonly line2?: string;
  /** This and the postcode are absent where a country does without. */
  readonly city?: string;
  readonly postcode?: string;
  /** State, province or prefecture. */
  readonly region?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Whom to ask. */
export interface Contact {
  readonly name?: string;
  readonly phone?: string;
  readonly email?: string;
}

/** Which rules the XML of documents keeps. */
export type InvoiceFormat = 'en16931' | 'peppol-bis-3' | 'xrechnung-3.0' | 'factur-x';

/** Who sends invoices. Absent parts were not filled in yet. */
/** A package of credits on the price list. Price net, in minor units. */
export interface CreditPackage {
  readonly name: string;
  readonly credits: number;
  readonly price: number;
  readonly currency: string;
}

export interface Seller {
  readonly name: string;
  readonly address: Address;
  readonly vat_id?: string;
  readonly registration_id?: string;
  readonly email: string;
  readonly iban?: string;
  readonly bic?: string;
  readonly payment_days: number;
  /** Days after the due date on which customers are reminded; absent: they are not. */
  readonly reminder_days?: readonly number[];
  /** In which tax is owed, where that is not the invoice's own. */
  readonly tax_currency?: string;
  /** SHA-256 of the image of a logo, in hexadecimal: a PNG or a JPEG. */
  readonly logo_sha256?: string;
  /** Of the page: `#1f4e79`. */
  readonly color?: string;
  /** Text below the payment. */
  readonly remittance?: string;
  /** Share of unused credits that is expected to expire: of the revenue schedule alone. */
  readonly breakage_percent?: number;
  /** Own codes of the accounts that the journal books to. */
  readonly ledger_accounts?: Partial<JournalAccounts>;
  readonly datev?: DatevSettings;
  readonly contact?: Contact;
  readonly endpoint?: Endpoint;
  /** Offered to customers; documents do not show them. */
  readonly packages?: readonly CreditPackage[];
  /** Absent: no orders are taken. */
  readonly orders?: 'approve' | 'at-once';
}

/** Languages in which documents are printed. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Buyer {
  readonly name: string;
  readonly address: Address;
  readonly vat_id?: string;
  readonly email: string;
  readonly buyer_reference?: string;
  readonly purchase_order?: string;
  /** Of documents; absent: English. */
  readonly language?: Language;
  readonly contact?: Contact;
  readonly endpoint?: Endpoint;
  /** Absent: `en16931`. */
  readonly invoice_format?: InvoiceFormat;
}

/** A buyer before the billing details are filled in: the account's name. */
export type PartialBuyer = Partial<Buyer> & { readonly name: string };

interface Line<Type extends string> {
  /** 1, 2, 3, … */
  readonly n: number;
  readonly type: Type;
  readonly description: string;
  /** Net; negative on a credit note. */
  readonly amount: number;
}

/** Calls of one rule and kind, at their charge; what they cost in money stands in `overage`. */
export interface UsageLine extends Line<'usage'> {
  readonly rule: string;
  readonly kind: CallKind;
  readonly calls: number;
  readonly credits: number;
}

/** Credits taken (positive) or given back (negative: as far as they paid for this month). */
export interface AdjustmentLine extends Line<'adjustment'> {
  readonly reason: string;
  readonly call_id: string | null;
  readonly credits: number;
}

/** Credits that a grant paid for in this month: negative. */
export interface CoveredLine extends Line<'covered'> {
  readonly grant_id: string;
  readonly credits: number;
}

/** A debt at the month's start, or (negative) one that is left unbilled at its end. */
export interface CarriedLine extends Line<'carried'> {
  readonly credits: number;
}

export interface OverageLine extends Line<'overage'> {
  readonly billed_credits: number;
  readonly price_per_1000_credits: number;
}

export interface PurchaseLine extends Line<'purchase'> {
  readonly grant_id: string;
  readonly granted_credits: number;
}

export type FeeLine = Line<'fee'>;

export type InvoiceLine =
  UsageLine | AdjustmentLine | CoveredLine | CarriedLine | OverageLine | PurchaseLine | FeeLine;

export interface TaxBreakdown {
  readonly category: TaxCategory;
  readonly rate_percent: number;
  readonly taxable: number;
  readonly tax: number;
  /** Why no tax is charged. */
  readonly reason?: string;
}

interface Amounts {
  readonly currency: string;
  readonly net: number;
  readonly tax_breakdown: readonly TaxBreakdown[];
  readonly tax: number;
  readonly total: number;
  /** BT-6 and BT-111; absent: no tax is owed in another currency. */
  readonly tax_accounting?: TaxAccounting;
}

/** The tax in the currency in which the seller owes it, at the rate of its tax point. */
export interface TaxAccounting {
  readonly currency: string;
  readonly tax: number;
  /** Value of one unit of the document's currency, an exact decimal. */
  readonly rate: string;
  /** The day for which it was published, and by whom. */
  readonly rate_date: string;
  readonly rate_source: string;
}

/** An invoice that another document names. */
export interface DocumentReference {
  readonly number: string;
  readonly issue_date: string;
}

/** An invoice as it is issued; a draft lacks its number. */
export interface Invoice extends Amounts {
  readonly number: string;
  readonly type: 'invoice';
  readonly id: string;
  readonly account_id: string;
  /** Month of supply: `2026-10`; `period`: its first and last day, of a purchase the day. */
  readonly month: string;
  readonly period: { readonly from: string; readonly to: string };
  readonly issue_date: string;
  readonly due_date: string;
  /** Part that the credit balance pays as it is issued (BT-113); absent: nothing. */
  readonly prepaid?: number;
  /** The voided invoice in whose place it is issued. */
  readonly reissue_of?: DocumentReference;
  readonly seller: Partial<Seller>;
  readonly buyer: PartialBuyer;
  readonly lines: readonly InvoiceLine[];
  /** Versions of the month's events; the head of the account's chain after the last, hex. */
  readonly account_version: { readonly from: number; readonly to: number };
  readonly account_head: string;
  /** In invoices of months that an earlier version issued: the Merkle tree over their calls. */
  readonly calls_tree?: { readonly count: number; readonly root: string };
}

export type InvoiceDraft = Omit<Invoice, 'number' | 'account_head' | 'calls_tree'>;

/** A part of an invoice that is taken back: negative amounts. */
export interface CreditNoteLine extends Line<'credit'> {
  /** The line of the invoice. */
  readonly line: number;
  readonly call_id?: string;
}

/** Parts of a credit note's total with tax, none below 0. */
export interface Settlement {
  /** No longer to be paid of the invoice. */
  readonly set_off: number;
  /** Was paid, and is paid back. */
  readonly refund: number;
  /** Was paid, and pays later invoices; absent: nothing. */
  readonly credit_balance?: number;
}

export interface CreditNote extends Amounts {
  readonly number: string;
  readonly type: 'credit_note';
  readonly id: string;
  readonly account_id: string;
  readonly month: string;
  readonly issue_date: string;
  readonly seller: Partial<Seller>;
  readonly buyer: PartialBuyer;
  /** How it is settled: due of the invoice when it was decided, and paid. Absent: not stated. */
  readonly settlement?: Settlement;
  /** The invoice that is corrected. */
  readonly invoice: DocumentReference;
  readonly reason: string;
  readonly lines: readonly CreditNoteLine[];
}

/** `held` is not issued: it has no number, and nothing of it is due. */
export type InvoiceStatus =
  'held' | 'issued' | 'partly_paid' | 'paid' | 'overdue' | 'credited' | 'written_off';

/** State of an invoice since it was issued; served beside it, never part of its bytes. */
export interface InvoiceState {
  readonly status: InvoiceStatus;
  readonly paid: number;
  readonly credited: number;
  /** Not expected any more; absent: nothing. */
  readonly written_off?: number;
  readonly due: number;
}

/** Amount that is to be paid of an invoice, or credited, as it is issued (BT-115). */
export function payableOf(document: Invoice | CreditNote): number {
  const { prepaid = 0 } = document.type === 'invoice' ? document : {};
  return document.total - prepaid;
}

/** Whether the credit balance pays all of an invoice as it is issued. */
export function isPrepaid(document: Invoice | CreditNote): boolean {
  return document.total !== 0 && payableOf(document) === 0;
}

/** Whether a number, or its series, is of test accounts' documents, which bill nobody. */
export function isTest(numberOrSeries: string): boolean {
  return numberOrSeries.startsWith('TEST-');
}

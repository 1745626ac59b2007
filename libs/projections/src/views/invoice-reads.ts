import type { MonthForecast } from '#invoice-rules/forecast-month.js';
import type { CreditNote, Invoice, InvoiceState, InvoiceStatus } from '#invoice-rules/invoice.js';
import type { Missing } from '#invoice-rules/missing.js';
import type { AccountStatement } from '#invoice-rules/account-statement.js';
import type { CallView, ListOrder, Page } from './account-reads.js';
import type { Batches } from './account-reads.js';
import type { DocumentFormat } from '../events/number-events.js';

/** An issued invoice in a list. Amounts in minor units. */
export interface InvoiceSummary {
  readonly number: string;
  readonly type: 'invoice';
  readonly id: string;
  readonly account_id: string;
  /** In lists over all accounts; null: erased. */
  readonly account_name?: string | null;
  readonly test: boolean;
  readonly month: string;
  readonly issue_date: string;
  readonly due_date: string;
  readonly currency: string;
  readonly net: number;
  readonly tax: number;
  readonly total: number;
  readonly state: InvoiceState;
}

/** An invoice that lacks facts, in a list: it is not issued. */
export type HeldSummary = Omit<InvoiceSummary, 'number' | 'state'> & {
  readonly number: null;
  readonly state: HeldState;
  /** Facts that have to be corrected. */
  readonly reasons: readonly Missing[];
};

type HeldState = Omit<InvoiceState, 'status'> & { readonly status: 'held' };

export interface PaymentView {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly date: string;
  readonly reference: string | null;
  readonly recorded_at: string;
}

/** An amount that was set against an invoice; below zero it was taken back. */
export interface InvoicePayment extends PaymentView {
  /** Absent: a payment. */
  readonly source?: 'refund' | 'credit_balance';
  /** The whole payment; absent: all of it was set against the invoice. */
  readonly received?: ReceivedPayment;
}

/** A payment of which an invoice got a part, and what became of the rest. */
export interface ReceivedPayment {
  readonly amount: number;
  readonly other_invoices: number;
  readonly credit_balance: number;
}

/** The statement of an account on its present day. */
export interface ReceivablesView extends AccountStatement {
  readonly account_id: string;
  readonly currency: string;
}

/** The invoice in the place of a voided one; its number is null until it has one. */
export interface Reissue {
  readonly reissued_as: string | null;
  readonly reissued_as_id: string;
}

/** Reminders of an invoice. */
export interface RemindersView {
  readonly stopped: boolean;
  /** Oldest first; `days` after the due date. */
  readonly sent: readonly { readonly days: number; readonly at: string }[];
}

/** An invoice as it was issued, and beside it what became of it. */
export interface InvoiceView extends Invoice, Partial<Reissue> {
  readonly state: InvoiceState;
  /** Numbers of the credit notes on it. */
  readonly credit_notes: readonly string[];
  readonly payments: readonly InvoicePayment[];
  readonly reminders: RemindersView;
}

/** An invoice that is not issued, as it would be now. */
export type HeldInvoiceView = Omit<InvoiceView, 'number' | 'state'> & {
  readonly number: null;
  readonly state: HeldState;
  readonly reasons: readonly Missing[];
};

/** Unused credits of purchases whose price a credit note gives back. */
export interface CreditedCredits {
  readonly credits_taken_back: number;
  /** Left to the account as promotional credits. */
  readonly credits_kept: number;
}

/** A credit note as it was issued, and beside it the credits that went with it. */
export type CreditNoteView = CreditNote & CreditedCredits;

/** An issued credit note in a list: amounts are negative. */
export interface CreditNoteSummary {
  readonly number: string;
  readonly type: 'credit_note';
  readonly id: string;
  readonly account_id: string;
  readonly test: boolean;
  readonly month: string;
  readonly invoice_number: string;
  readonly issue_date: string;
  readonly currency: string;
  readonly net: number;
  readonly tax: number;
  readonly total: number;
}

/** The invoice of the running month as it would be issued now. */
export type InvoiceDraftView = Omit<Invoice, 'number' | 'id' | 'type' | 'account_head'> & {
  readonly type: 'draft';
  /** Data that a lawful invoice still lacks. */
  readonly missing: readonly Missing[];
  /** At the pace of the month so far. */
  readonly forecast: MonthForecast;
};

/** The bytes of a format as they were issued, or why there are none. */
export type IssuedDocument =
  | { readonly outcome: 'found'; readonly body: Uint8Array; readonly sha256: string }
  | { readonly outcome: 'missing'; readonly missing: readonly Missing[] }
  /** The legal term is over. */
  | { readonly outcome: 'gone' };

export interface InvoiceFilter {
  /** Null: of all accounts. */
  readonly accountId: string | null;
  readonly month: string | null;
  readonly status: InvoiceStatus | null;
  /** Test accounts' alone, or none of them; null: all. */
  readonly test: boolean | null;
  readonly after: string | null;
  readonly limit: number;
  /** As their numbers by default. */
  readonly order?: ListOrder;
}

/** `after`: a place in the list, an empty text for its beginning. */
export type HeldFilter = Omit<InvoiceFilter, 'status' | 'after'> & { readonly after: string };

export type CreditNoteFilter = Omit<InvoiceFilter, 'status'>;

/** The calls behind one line: page by page, or all of them. */
export interface LineCalls {
  page(after: string | null, limit: number, order?: ListOrder): Promise<Page<CallView>>;
  every(order?: ListOrder): Batches<CallView>;
}

/** Reads of held invoices. */
export interface HeldReads {
  list(filter: HeldFilter): Promise<HeldPage>;
  /** `accountId`: whose it must be; null: anybody's. */
  find(accountId: string | null, documentId: string): Promise<HeldInvoiceView | undefined>;
}

/** A page of held invoices, and the place after which the next one begins; null: none does. */
export interface HeldPage {
  readonly items: readonly HeldSummary[];
  readonly next: string | null;
}

/**
 * Reads of invoices: one implementation for API, admin and portal. Reads of one account are always
 * current; lists over all accounts are as current as their projection. Undefined: there is no such
 * account, number or line. `accountId` null: any account (operators). A document is named by its
 * number or its id.
 */
export interface InvoiceReads {
  receivables(accountId: string): Promise<ReceivablesView | undefined>;
  /** Invoices that are not issued, for operators. */
  readonly held: HeldReads;
  draft(accountId: string): Promise<InvoiceDraftView | undefined>;
  /** In the order of their numbers. Throws BadCursorError. */
  invoices(filter: InvoiceFilter): Promise<Page<InvoiceSummary>>;
  invoice(accountId: string | null, number: string): Promise<InvoiceView | undefined>;
  creditNotes(filter: CreditNoteFilter): Promise<Page<CreditNoteSummary>>;
  creditNote(accountId: string | null, number: string): Promise<CreditNoteView | undefined>;
  document(
    accountId: string | null,
    number: string,
    format: DocumentFormat,
  ): Promise<IssuedDocument | undefined>;
  lineCalls(accountId: string | null, number: string, line: number): Promise<LineCalls | undefined>;
}

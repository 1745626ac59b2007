import type { AccountState, UnbilledPurchase } from '#account/state.js';
import type { Tax } from '#account/terms.js';
import {
  draftInvoice,
  draftPurchase,
  draftReissue,
  dueDate,
} from '#invoice-rules/draft-invoice.js';
import type { InvoiceTerms } from '#invoice-rules/draft-invoice.js';
import type { Invoice, InvoiceDraft } from '#invoice-rules/invoice.js';
import type { MonthFacts } from '#invoice-rules/month-facts.js';
import type { Missing } from '#invoice-rules/missing.js';
import { reasonsToHold } from '#invoice-rules/reasons-to-hold.js';
import { taxTerms } from '#invoice-rules/tax.js';
import type { Calendar } from '#calendar/calendar.js';
import { invoiceIdOf, purchaseInvoiceIdOf } from '../events/document-ids.js';
import type { HeldSummary } from '../views/invoice-reads.js';
import type { HeldInvoice } from './held-invoices.js';
import type { Parties } from './parties.js';

/** Unless the seller says otherwise. */
export const PAYMENT_DAYS = 14;

/** An account whose invoice is due, and what is known as it is made. */
export interface DueOf {
  readonly accountId: string;
  readonly state: AccountState;
  readonly parties: Parties;
  /** Local date. */
  readonly issueDate: string;
}

/** An invoice that is due, and why it is not issued. */
export interface DueDraft extends DueOf {
  readonly draft: InvoiceDraft;
  /** Empty: it is issued. */
  readonly reasons: readonly Missing[];
}

/**
 * The invoice of a closed month as it is issued now. `heldBefore`: the oldest held month of the
 * account before it. Throws what `isMonthFault` knows.
 */
export function dueMonth(facts: MonthFacts, of: DueOf, heldBefore: string | null): DueDraft {
  const draft = draftInvoice(facts, termsOf(of, invoiceIdOf(of.accountId, facts.month)));
  const isTaxStated = facts.plan !== null || of.state.billing.tax !== undefined;
  return { ...of, draft, reasons: reasonsToHold(draft, { isTaxStated, heldBefore }) };
}

/** The invoice of a purchase as it is issued now. */
export function duePurchase(
  { grantId, credits, amount, at, version }: UnbilledPurchase,
  of: DueOf,
  calendar: Calendar,
): DueDraft {
  const { accountId, state } = of;
  const { plan, billing } = state;
  const purchase = { grantId, credits, amount, day: calendar.dayAt(at).label, version };
  const terms = termsOf(of, purchaseInvoiceIdOf(accountId, grantId));
  const draft = draftPurchase(purchase, taxTerms(plan, billing.tax), terms);
  const isTaxStated = plan !== null || billing.tax !== undefined;
  return { ...of, draft, reasons: reasonsToHold(draft, { isTaxStated, heldBefore: null }) };
}

/** A voided invoice, and how it is issued again. */
export interface Reissue {
  /** Of the new invoice. */
  readonly id: string;
  /** Id of the voided one. */
  readonly of: string;
  readonly voided: Invoice;
  /** Its lines as far as they were left. */
  readonly lines: Parameters<typeof draftReissue>[1];
  readonly tax: Tax;
}

/** The invoice in the place of a voided one as it is issued now. */
export function dueReissue({ id, voided, lines, tax }: Omit<Reissue, 'of'>, of: DueOf): DueDraft {
  const draft = draftReissue(voided, lines, tax, termsOf(of, id));
  return { ...of, draft, reasons: reasonsToHold(draft, { isTaxStated: true, heldBefore: null }) };
}

function termsOf({ accountId, state, parties, issueDate }: DueOf, id: string): InvoiceTerms {
  const { seller, buyer, exchange } = parties;
  const days = seller.payment_days ?? PAYMENT_DAYS;
  return {
    id,
    accountId,
    currency: state.currency,
    issueDate,
    dueDate: dueDate(issueDate, days),
    seller,
    buyer,
    exchange,
    creditBalance: state.billing.balance,
    billingTax: state.billing.tax,
  };
}

/** A held invoice in a list: nothing of it is due. */
export function heldSummary({ draft, reasons, state }: DueDraft): HeldSummary {
  const { id, account_id, month, issue_date, due_date, currency, net, tax, total } = draft;
  return {
    number: null,
    type: 'invoice',
    id,
    account_id,
    test: state.test,
    month,
    issue_date,
    due_date,
    currency,
    net,
    tax,
    total,
    state: HELD,
    reasons,
  };
}

/** State of an invoice that is not issued. */
export const HELD = { status: 'held', paid: 0, credited: 0, due: 0 } as const;

/** The row of a held invoice. */
export function heldInvoice(due: DueDraft, isMonth: boolean): HeldInvoice {
  const { state, parties } = due;
  return {
    isMonth,
    accountVersion: state.version,
    systemPosition: parties.position,
    summary: heldSummary(due),
  };
}

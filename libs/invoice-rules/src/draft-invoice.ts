import type { CreditedLine } from '#account/billing-events.js';
import type { Tax } from '#account/terms.js';
import { dayNumber, formatDate, parseDate } from '#calendar/civil-date.js';
import type { CreditNoteDraft } from './draft-credit-note.js';
import type { Buyer, Invoice, InvoiceDraft, InvoiceLine } from './invoice.js';
import type { PartialBuyer, Seller, TaxAccounting } from './invoice.js';
import { invoiceLines, purchaseLine } from './invoice-lines.js';
import { lineIn } from './line-words.js';
import { converted, rateOn, type Exchange } from './exchange-rates.js';
import { sumOf } from './money.js';
import type { MonthFacts } from './month-facts.js';
import { taxOn, taxRow, taxTerms } from './tax.js';

/** Content of an invoice beside its month: parties, dates, currency. Dates are local ones. */
export interface InvoiceTerms {
  readonly id: string;
  readonly accountId: string;
  readonly currency: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly seller: Partial<Seller>;
  readonly buyer: PartialBuyer;
  /** Money of the customer that no invoice got yet; absent: none. */
  readonly creditBalance?: number | undefined;
  /** Tax of the billing details: it applies where no plan is in force. */
  readonly billingTax?: Tax | undefined;
  /** Absent: the seller owes tax in the currency of its invoices. */
  readonly exchange?: Exchange | undefined;
}

const MONTH_LENGTH = '2026-11'.length;
const ADDRESS = ['line1', 'line2', 'city', 'postcode', 'region', 'country'] as const;
const CONTACT = ['name', 'phone', 'email'] as const;
const ENDPOINT = ['scheme', 'id'] as const;
const SELLER = [
  'name',
  'address',
  'vat_id',
  'registration_id',
  'email',
  'iban',
  'bic',
  'payment_days',
  'tax_currency',
  'logo_sha256',
  'color',
  'remittance',
  'contact',
  'endpoint',
] as const satisfies readonly (keyof Seller)[];
const BUYER = [
  'name',
  'address',
  'vat_id',
  'email',
  'buyer_reference',
  'purchase_order',
  'language',
  'contact',
  'endpoint',
  'invoice_format',
] as const satisfies readonly (keyof Buyer)[];

/** Members in one order, whatever order they were stored in: equal drafts have equal bytes. */
function ordered<Whole extends object>(whole: Whole, names: readonly (keyof Whole)[]): Whole {
  const present = names.filter((name) => whole[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, whole[name]])) as Whole;
}

/** A party with its members, and theirs, in the order in which they are documented. */
export function orderedParty<Party extends Pick<PartialBuyer, 'address' | 'contact' | 'endpoint'>>(
  party: Party,
  names: readonly (keyof Party)[],
): Party {
  const { address, contact, endpoint } = party;
  const parts = {
    ...(address && { address: ordered(address, ADDRESS) }),
    ...(contact && { contact: ordered(contact, CONTACT) }),
    ...(endpoint && { endpoint: ordered(endpoint, ENDPOINT) }),
  };
  return ordered({ ...party, ...parts }, names);
}

/** The first and the last day of a month `2026-10`. Throws RangeError for what is no month. */
export function periodOf(month: string): Invoice['period'] {
  const from = `${month}-01`;
  if (parseDate(from) === undefined) throw new RangeError(`"${month}" is not a month.`);
  const [year = NaN, number = NaN] = month.split('-').map(Number);
  return { from, to: formatDate(dayNumber(year, number + 1, 0)) };
}

/** The day so many days after a date. Throws RangeError for what is no date. */
export function dueDate(issueDate: string, paymentDays: number): string {
  const day = parseDate(issueDate);
  if (day === undefined) throw new RangeError(`"${issueDate}" is not a date.`);
  return formatDate(day + paymentDays);
}

/** Content of an invoice, and the events of the account that it follows from. */
interface BilledMonth {
  readonly month: string;
  readonly period: Invoice['period'];
  readonly lines: readonly InvoiceLine[];
  readonly tax: Tax;
  readonly version: Invoice['account_version'];
  readonly reissueOf?: Invoice['reissue_of'];
}

/**
 * The tax in the seller's currency, at the rate of the tax point: the last day of the period.
 * Absent without a tax, a rate or another currency.
 */
function accounting(
  tax: number,
  day: string,
  { currency: from, exchange }: InvoiceTerms,
): { tax_accounting?: TaxAccounting } {
  const found = exchange && rateOn(exchange.rates, day);
  if (found === undefined || tax === 0) return {};
  const { rate, date: rate_date, source: rate_source } = found;
  const { currency } = exchange as Exchange;
  const owed = converted(tax, from, currency, rate);
  return { tax_accounting: { currency, tax: owed, rate, rate_date, rate_source } };
}

function draftOf(billed: BilledMonth, terms: InvoiceTerms) {
  const { month, period, lines, tax: taxed, version, reissueOf } = billed;
  const net = sumOf(
    lines.map(({ amount }) => amount),
    'The net amount',
  );
  const tax = taxOn(net, taxed.rate_percent);
  const total = sumOf([net, tax], 'The total');
  const prepaid = Math.min(terms.creditBalance ?? 0, total);
  return {
    type: 'invoice',
    id: terms.id,
    account_id: terms.accountId,
    month,
    period,
    currency: terms.currency,
    issue_date: terms.issueDate,
    due_date: terms.dueDate,
    ...(reissueOf !== undefined && { reissue_of: reissueOf }),
    seller: orderedParty(terms.seller, SELLER),
    buyer: orderedParty(terms.buyer, BUYER),
    lines: lines.map((line) => lineIn(line, terms.buyer.language ?? 'en')),
    net,
    tax_breakdown: [taxRow(taxed, net, tax)],
    tax,
    total,
    ...(prepaid > 0 && { prepaid }),
    ...accounting(tax, period.to, terms),
    account_version: { from: version.from, to: version.to },
  } satisfies InvoiceDraft;
}

/**
 * The invoice of a month before it has a number (contract 6): lines rounded half even once each,
 * tax half up once. Equal facts and terms give equal JSON. Throws what `isMonthFault` knows.
 */
export function draftInvoice(facts: MonthFacts, terms: InvoiceTerms): InvoiceDraft {
  const { month, plan, version } = facts;
  const tax = taxTerms(plan, terms.billingTax);
  return draftOf(
    { month, period: periodOf(month), lines: invoiceLines(facts), tax, version },
    terms,
  );
}

/** A purchase that is invoiced by itself, with what of it is billed. */
export interface InvoicedPurchase {
  readonly grantId: string;
  readonly credits: number;
  /** Net, in minor units. */
  readonly amount: number;
  /** Local date on which it was made. */
  readonly day: string;
  /** Version of its event. */
  readonly version: number;
}

/** The invoice of one purchase, made on its day, before it has a number. `tax`: of that line. */
export function draftPurchase(
  { grantId, credits, amount, day, version }: InvoicedPurchase,
  tax: Tax,
  terms: InvoiceTerms,
): InvoiceDraft {
  const lines = [{ n: 1, ...purchaseLine(grantId, credits, amount) }];
  const period = { from: day, to: day };
  const month = day.slice(0, MONTH_LENGTH);
  return draftOf({ month, period, lines, tax, version: { from: version, to: version } }, terms);
}

/**
 * The invoice in the place of a voided one, before it has a number. `voided`: what the void took
 * back of its lines, which is billed again. `tax`: of all of it.
 */
export function draftReissue(
  of: Invoice,
  voided: readonly CreditedLine[],
  tax: Tax,
  terms: InvoiceTerms,
): InvoiceDraft {
  const { number, issue_date, month, period, account_version: version } = of;
  const amounts = new Map(voided.map(([line, amount]) => [line, amount]));
  const lines = of.lines.map((line) => ({ ...line, amount: amounts.get(line.n) ?? 0 }));
  const reissueOf = { number, issue_date };
  return draftOf({ month, period, lines, tax, version, reissueOf }, terms);
}

/** The sealed bytes of an invoice or credit note before it has a number: JSON in UTF-8. */
export function canonicalText(draft: InvoiceDraft | CreditNoteDraft): string {
  return JSON.stringify(draft);
}

/** The invoice as it is issued; `accountHead` is the chain's after the month's last event, hex. */
export function numbered(draft: InvoiceDraft, number: string, accountHead: string): Invoice {
  return { number, ...draft, account_head: accountHead };
}

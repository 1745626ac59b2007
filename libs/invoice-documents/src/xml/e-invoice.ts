import type {
  CreditNote,
  CreditNoteLine,
  Invoice,
  InvoiceLine,
  TaxAccounting,
  TaxBreakdown,
} from '#billing/invoice.js';
import { missingFor, type Missing } from '#billing/missing.js';
import { priceOf } from '#billing/money.js';

/** An invoice or credit note as every syntax of EN 16931 shows it. Amounts are minor units. */
export interface EInvoice {
  readonly document: Invoice | CreditNote;
  readonly amounts: XmlAmounts;
  /** The category of all lines. */
  readonly tax: TaxBreakdown;
  readonly lines: readonly PricedLine[];
}

/** Amounts of a document with the sign that its XML has: those of a credit note are positive. */
export interface XmlAmounts {
  readonly currency: string;
  readonly net: number;
  readonly tax_breakdown: readonly TaxBreakdown[];
  readonly tax: number;
  readonly total: number;
  /** BT-6 and BT-111. */
  readonly tax_accounting?: TaxAccounting;
}

/** BG-25: a line with its quantity and net price. */
export interface PricedLine {
  readonly n: number;
  readonly description: string;
  readonly note?: string;
  readonly quantity: number;
  readonly price: number;
  /** Units that the price is for, 1 by default. */
  readonly baseQuantity?: number;
  readonly amount: number;
}

/** Content of an XML, or what the standard asks for and the document does not have. */
export type EInvoiceResult =
  | { readonly outcome: 'complete'; readonly eInvoice: EInvoice }
  | { readonly outcome: 'missing'; readonly missing: readonly Missing[] };

export const CUSTOMIZATION = 'urn:cen.eu:en16931:2017';
/** UNTDID 1001. */
export const TYPE_CODES = { invoice: '380', credit_note: '381' } as const;
/** UNTDID 4461: a credit transfer, not only within SEPA. */
export const CREDIT_TRANSFER = '30';
/** UN/ECE Recommendation 20: one, of no other unit. */
export const UNIT = { unitCode: 'C62' } as const;
/** Code of an e-mail address in the list of electronic addresses (EAS). */
export const EMAIL_SCHEME = { schemeID: 'EM' } as const;
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const PRICED_CREDITS = 1000;

/**
 * The content of a document's XML: all lines under their numbers. Those that show credits only cost
 * 0 each, so that all of the invoice is there and the sum of lines stays what it is.
 */
export function eInvoiceOf(document: Invoice | CreditNote): EInvoiceResult {
  const missing = missingFor(document);
  if (missing.length > 0) return { outcome: 'missing', missing };
  const amounts = document.type === 'invoice' ? document : withSignOfXml(document);
  const tax = onlyTax(amounts.tax_breakdown);
  const lines =
    document.type === 'invoice'
      ? document.lines.map(invoiceLine)
      : document.lines.map(creditNoteLine);
  return { outcome: 'complete', eInvoice: { document, amounts, tax, lines } };
}

/** Lines name no category of their own: all of a document has the plan's. */
function onlyTax(rows: readonly TaxBreakdown[]): TaxBreakdown {
  const [row, ...others] = rows;
  if (row === undefined || others.length > 0) {
    throw new Error(`A document has one tax category, not ${rows.length}.`);
  }
  return row;
}

function withSignOfXml(note: CreditNote): XmlAmounts {
  const { currency, net, tax, total, tax_breakdown, tax_accounting: owed } = note;
  const rows = tax_breakdown.map((row) => ({
    ...row,
    taxable: 0 - row.taxable,
    tax: 0 - row.tax,
  }));
  const amounts = { currency, net: 0 - net, tax: 0 - tax, total: 0 - total, tax_breakdown: rows };
  return owed ? { ...amounts, tax_accounting: { ...owed, tax: 0 - owed.tax } } : amounts;
}

function creditNoteLine({ n, line, call_id, description, amount }: CreditNoteLine): PricedLine {
  const credited = 0 - amount;
  const call = call_id === undefined ? '' : `, call ${call_id}`;
  const note = `Line ${line} of the invoice${call}`;
  const quantity = Math.sign(credited) || 1;
  return { n, description, note, quantity, price: Math.abs(credited), amount: credited };
}

function invoiceLine(line: InvoiceLine): PricedLine {
  const { n, description, amount } = line;
  const of = { n, description, amount };
  switch (line.type) {
    case 'overage':
      // One that is issued again may have been credited in part before.
      if (amount !== priceOf(line.billed_credits, line.price_per_1000_credits)) {
        return {
          ...of,
          quantity: 1,
          price: amount,
          note: `Rest of ${line.billed_credits} credits`,
        };
      }
      return {
        ...of,
        quantity: line.billed_credits,
        price: line.price_per_1000_credits,
        baseQuantity: PRICED_CREDITS,
      };
    case 'purchase':
      return { ...of, quantity: 1, price: amount, note: `${line.granted_credits} credits` };
    case 'fee':
      return { ...of, quantity: 1, price: amount };
    case 'usage':
      return { ...of, quantity: line.credits, price: 0, note: callsOf(line.calls) };
    case 'adjustment':
    case 'covered':
    case 'carried':
      return { ...of, quantity: line.credits, price: 0 };
  }
}

function callsOf(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`;
}

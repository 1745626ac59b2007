import type {
  CreditNote,
  CreditNoteLine,
  Invoice,
  InvoiceLine,
  OverageLine,
  TaxAccounting,
  TaxBreakdown,
} from '#invoice-rules/invoice.js';
import { decimalsOf } from '#invoice-rules/currencies.js';
import { missingFor, type Missing } from '#invoice-rules/missing.js';
import { priceOf } from '#invoice-rules/money.js';
import { profileOf, type Profile } from '#invoice-rules/profiles.js';

/** An invoice or credit note as every syntax of EN 16931 shows it. Amounts are minor units. */
export interface EInvoice {
  readonly document: Invoice | CreditNote;
  readonly profile: Profile;
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
  /** BT-113; absent: nothing. */
  readonly prepaid?: number;
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

/** UNTDID 1001. */
export const TYPE_CODES = { invoice: '380', credit_note: '381' } as const;
/** UN/ECE Recommendation 20: one, of no other unit. */
export const UNIT = { unitCode: 'C62' } as const;
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
      ? document.lines.map((line) => invoiceLine(line, document.currency))
      : document.lines.map(creditNoteLine);
  const profile = profileOf(document.buyer.invoice_format);
  return { outcome: 'complete', eInvoice: { document, profile, amounts, tax, lines } };
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

function invoiceLine(line: InvoiceLine, currency: string): PricedLine {
  const { n, description, amount } = line;
  const of = { n, description, amount };
  switch (line.type) {
    case 'overage':
      return { ...of, ...pricedOverage(line, currency) };
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

/** Quantity and price; of what they do not give, the amount itself as the price of one. */
function pricedOverage(
  { amount, billed_credits: credits, price_per_1000_credits: price }: OverageLine,
  currency: string,
): Pick<PricedLine, 'quantity' | 'price' | 'note' | 'baseQuantity'> {
  const whole = { quantity: 1, price: amount };
  // One that is issued again may have been credited in part before.
  if (amount !== priceOf(credits, price)) return { ...whole, note: `Rest of ${credits} credits` };
  // Rounded to a whole unit it is further from the product than PEPPOL-EN16931-R120 allows.
  const isRounded = (BigInt(credits) * BigInt(price)) % BigInt(PRICED_CREDITS) !== 0n;
  if (isRounded && decimalsOf(currency) === 0) {
    return { ...whole, note: `${credits} credits at ${price} for ${PRICED_CREDITS}` };
  }
  return { quantity: credits, price, baseQuantity: PRICED_CREDITS };
}

function callsOf(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`;
}

import type { CreditNoteLine, InvoiceLine, TaxBreakdown } from '#billing/invoice.js';
import { formatAmount, priceOf } from '#billing/money.js';
import { amount, taxCategory } from './ubl-amounts.js';
import { group, text, textIf, type Markup } from './xml-markup.js';

/** A quantity and its net price. Amounts are minor units. */
interface Quantity {
  readonly quantity: number;
  readonly price: number;
  /** Units that the price is for, 1 by default. */
  readonly baseQuantity?: number;
  readonly note?: string;
}

/** UN/ECE Recommendation 20: one, of no other unit. */
const UNIT = { unitCode: 'C62' };
const PRICED_CREDITS = 1000;

/**
 * BG-25 for each line of the invoice, under its number. Lines that show credits only cost 0 each,
 * so that all of the invoice is there and the sum of lines stays what it is.
 */
export function invoiceLine(line: InvoiceLine, currency: string, tax: TaxBreakdown): Markup {
  const { quantity, price, baseQuantity, note } = quantityOf(line);
  return group('cac:InvoiceLine', [
    text('cbc:ID', String(line.n)),
    textIf('cbc:Note', note),
    text('cbc:InvoicedQuantity', String(quantity), UNIT),
    amount('cbc:LineExtensionAmount', line.amount, currency),
    item(line.description, tax),
    unitPrice(price, currency, baseQuantity),
  ]);
}

/** BG-25 of a credit note: what it takes back is positive there. */
export function creditNoteLine(line: CreditNoteLine, currency: string, tax: TaxBreakdown): Markup {
  const credited = -line.amount;
  const call = line.call_id === undefined ? '' : `, call ${line.call_id}`;
  return group('cac:CreditNoteLine', [
    text('cbc:ID', String(line.n)),
    text('cbc:Note', `Line ${line.line} of the invoice${call}`),
    text('cbc:CreditedQuantity', String(Math.sign(credited) || 1), UNIT),
    amount('cbc:LineExtensionAmount', credited, currency),
    item(line.description, tax),
    unitPrice(Math.abs(credited), currency),
  ]);
}

function quantityOf(line: InvoiceLine): Quantity {
  switch (line.type) {
    case 'overage':
      // One that is issued again may have been credited in part before.
      if (line.amount !== priceOf(line.billed_credits, line.price_per_1000_credits)) {
        return { quantity: 1, price: line.amount, note: `Rest of ${line.billed_credits} credits` };
      }
      return {
        quantity: line.billed_credits,
        price: line.price_per_1000_credits,
        baseQuantity: PRICED_CREDITS,
      };
    case 'purchase':
      return { quantity: 1, price: line.amount, note: `${line.granted_credits} credits` };
    case 'fee':
      return { quantity: 1, price: line.amount };
    case 'usage':
      return { quantity: line.credits, price: 0, note: callsOf(line.calls) };
    case 'adjustment':
    case 'covered':
    case 'carried':
      return { quantity: line.credits, price: 0 };
  }
}

function callsOf(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`;
}

function item(description: string, tax: TaxBreakdown): Markup {
  return group('cac:Item', [
    text('cbc:Name', description === '' ? '-' : description),
    taxCategory('cac:ClassifiedTaxCategory', tax),
  ]);
}

function unitPrice(price: number, currency: string, baseQuantity?: number): Markup {
  return group('cac:Price', [
    text('cbc:PriceAmount', formatAmount(price, currency), { currencyID: currency }),
    baseQuantity === undefined ? undefined : text('cbc:BaseQuantity', String(baseQuantity), UNIT),
  ]);
}

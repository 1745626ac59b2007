import type { TaxBreakdown } from '#invoice-rules/invoice.js';
import { UNIT, type PricedLine } from '../xml/e-invoice.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';
import { amount, taxCategory } from './ubl-amounts.js';

const NAMES = {
  invoice: { line: 'cac:InvoiceLine', quantity: 'cbc:InvoicedQuantity' },
  credit_note: { line: 'cac:CreditNoteLine', quantity: 'cbc:CreditedQuantity' },
} as const;

/** BG-25, a line. */
export function ublLine(
  type: keyof typeof NAMES,
  line: PricedLine,
  currency: string,
  tax: TaxBreakdown,
): Markup {
  const names = NAMES[type];
  return group(names.line, [
    text('cbc:ID', String(line.n)),
    textIf('cbc:Note', line.note),
    text(names.quantity, String(line.quantity), UNIT),
    amount('cbc:LineExtensionAmount', line.amount, currency),
    item(line.description, tax),
    unitPrice(line, currency),
  ]);
}

function item(description: string, tax: TaxBreakdown): Markup {
  return group('cac:Item', [
    text('cbc:Name', description === '' ? '-' : description),
    taxCategory('cac:ClassifiedTaxCategory', tax),
  ]);
}

function unitPrice({ price, baseQuantity }: PricedLine, currency: string): Markup {
  return group('cac:Price', [
    amount('cbc:PriceAmount', price, currency),
    baseQuantity === undefined ? undefined : text('cbc:BaseQuantity', String(baseQuantity), UNIT),
  ]);
}

import type { TaxBreakdown } from '#billing/invoice.js';
import { formatAmount } from '#billing/money.js';
import type { XmlAmounts } from '../xml/e-invoice.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';

const TAX_SCHEME = group('cac:TaxScheme', [text('cbc:ID', 'VAT')]);

/** An amount with the decimals of its currency. */
export function amount(name: string, minor: number, currency: string): Markup {
  return text(name, formatAmount(minor, currency), { currencyID: currency });
}

/** BG-22, the totals. */
export function monetaryTotal({ currency, net, total }: XmlAmounts): Markup {
  return group('cac:LegalMonetaryTotal', [
    amount('cbc:LineExtensionAmount', net, currency),
    amount('cbc:TaxExclusiveAmount', net, currency),
    amount('cbc:TaxInclusiveAmount', total, currency),
    amount('cbc:PayableAmount', total, currency),
  ]);
}

/** BT-111, the tax in the currency in which it is owed. */
export function taxAccounting({ tax_accounting: owed }: XmlAmounts): Markup | undefined {
  return owed && group('cac:TaxTotal', [amount('cbc:TaxAmount', owed.tax, owed.currency)]);
}

/** BG-23, the tax by category. */
export function taxTotal({ currency, tax, tax_breakdown }: XmlAmounts): Markup {
  const subtotals = tax_breakdown.map((row) =>
    group('cac:TaxSubtotal', [
      amount('cbc:TaxableAmount', row.taxable, currency),
      amount('cbc:TaxAmount', row.tax, currency),
      taxCategory('cac:TaxCategory', row, row.reason),
    ]),
  );
  return group('cac:TaxTotal', [amount('cbc:TaxAmount', tax, currency), ...subtotals]);
}

/** A category and its rate; O has none (BR-O-05). Only the breakdown gives a reason. */
export function taxCategory(
  name: string,
  { category, rate_percent }: TaxBreakdown,
  reason?: string,
): Markup {
  return group(name, [
    text('cbc:ID', category),
    category === 'O' ? undefined : text('cbc:Percent', String(rate_percent)),
    textIf('cbc:TaxExemptionReason', reason),
    TAX_SCHEME,
  ]);
}

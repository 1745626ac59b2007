import type { TaxBreakdown } from '#invoice-rules/invoice.js';
import { formatAmount } from '#invoice-rules/money.js';
import type { Context } from '#invoice-rules/profiles.js';
import type { XmlAmounts } from '../xml/e-invoice.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';

const TAX_SCHEME = group('cac:TaxScheme', [text('cbc:ID', 'VAT')]);

/** An amount with the decimals of its currency. */
export function amount(name: string, minor: number, currency: string): Markup {
  return text(name, formatAmount(minor, currency), { currencyID: currency });
}

/** BG-22, the totals. */
export function monetaryTotal({ currency, net, total, prepaid = 0 }: XmlAmounts): Markup {
  return group('cac:LegalMonetaryTotal', [
    amount('cbc:LineExtensionAmount', net, currency),
    amount('cbc:TaxExclusiveAmount', net, currency),
    amount('cbc:TaxInclusiveAmount', total, currency),
    prepaid === 0 ? undefined : amount('cbc:PrepaidAmount', prepaid, currency),
    amount('cbc:PayableAmount', total - prepaid, currency),
  ]);
}

/** BT-111, the tax in the currency in which it is owed. */
export function taxAccounting({ tax_accounting: owed }: XmlAmounts): Markup | undefined {
  return owed && group('cac:TaxTotal', [amount('cbc:TaxAmount', owed.tax, owed.currency)]);
}

/** BG-23, the tax by category. */
export function taxTotal(
  { currency, tax, tax_breakdown }: XmlAmounts,
  { process }: Context,
): Markup {
  const subtotals = tax_breakdown.map((row) =>
    group('cac:TaxSubtotal', [
      amount('cbc:TaxableAmount', row.taxable, currency),
      amount('cbc:TaxAmount', row.tax, currency),
      taxCategory('cac:TaxCategory', row, { reason: row.reason, hasRate: process !== null }),
    ]),
  );
  return group('cac:TaxTotal', [amount('cbc:TaxAmount', tax, currency), ...subtotals]);
}

interface CategoryOf {
  /** Only the breakdown gives one. */
  readonly reason?: string | undefined;
  /** Also of the category O, which else has none (BR-O-05): BR-DE-14 asks for it. */
  readonly hasRate?: boolean;
}

/** A category and its rate. */
export function taxCategory(
  name: string,
  { category, rate_percent }: TaxBreakdown,
  { reason, hasRate = false }: CategoryOf = {},
): Markup {
  return group(name, [
    text('cbc:ID', category),
    hasRate || category !== 'O' ? text('cbc:Percent', String(rate_percent)) : undefined,
    textIf('cbc:TaxExemptionReason', reason),
    TAX_SCHEME,
  ]);
}

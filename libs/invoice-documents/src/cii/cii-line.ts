import type { TaxBreakdown } from '#invoice-rules/invoice.js';
import { formatAmount } from '#invoice-rules/money.js';
import { UNIT, type PricedLine } from '../xml/e-invoice.js';
import { group, text, type Markup } from '../xml/xml-markup.js';

/** BG-25, a line. */
export function ciiLine(line: PricedLine, currency: string, tax: TaxBreakdown): Markup {
  const { n, note, description, quantity, amount } = line;
  return group('ram:IncludedSupplyChainTradeLineItem', [
    group('ram:AssociatedDocumentLineDocument', [
      text('ram:LineID', String(n)),
      note === undefined ? undefined : group('ram:IncludedNote', [text('ram:Content', note)]),
    ]),
    group('ram:SpecifiedTradeProduct', [text('ram:Name', description === '' ? '-' : description)]),
    group('ram:SpecifiedLineTradeAgreement', [price(line, currency)]),
    group('ram:SpecifiedLineTradeDelivery', [text('ram:BilledQuantity', String(quantity), UNIT)]),
    group('ram:SpecifiedLineTradeSettlement', [
      group('ram:ApplicableTradeTax', [
        text('ram:TypeCode', 'VAT'),
        text('ram:CategoryCode', tax.category),
        ratePercent(tax),
      ]),
      group('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        text('ram:LineTotalAmount', formatAmount(amount, currency)),
      ]),
    ]),
  ]);
}

function price({ price: net, baseQuantity }: PricedLine, currency: string): Markup {
  return group('ram:NetPriceProductTradePrice', [
    text('ram:ChargeAmount', formatAmount(net, currency)),
    baseQuantity === undefined ? undefined : text('ram:BasisQuantity', String(baseQuantity), UNIT),
  ]);
}

/** BT-119 and BT-152; the category O has none (BR-O-05) unless `hasRate`. */
export function ratePercent(
  { category, rate_percent }: TaxBreakdown,
  hasRate = false,
): Markup | undefined {
  return category !== 'O' || hasRate
    ? text('ram:RateApplicablePercent', String(rate_percent))
    : undefined;
}

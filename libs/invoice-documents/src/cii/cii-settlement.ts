import type {
  CreditNote,
  DocumentReference,
  Invoice,
  TaxBreakdown,
} from '#invoice-rules/invoice.js';
import { formatAmount } from '#invoice-rules/money.js';
import { compactIban } from '#invoice-rules/party-rules.js';
import type { Context } from '#invoice-rules/profiles.js';
import { wordingOf } from '../pdf/wording.js';
import type { EInvoice, XmlAmounts } from '../xml/e-invoice.js';
import { bankOf, meansOf } from '../xml/payment-means.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';
import { ciiDate } from './cii-date.js';
import { ratePercent } from './cii-line.js';

/** Currency, payment, tax and totals, in the order of the schema. */
export function tradeSettlement({ document, profile, amounts }: EInvoice): Markup {
  const { currency } = document;
  const isInvoice = document.type === 'invoice';
  const earlier = isInvoice ? document.reissue_of : document.invoice;
  return group('ram:ApplicableHeaderTradeSettlement', [
    ...(isInvoice ? [paymentReference(document)] : []),
    textIf('ram:TaxCurrencyCode', amounts.tax_accounting?.currency),
    text('ram:InvoiceCurrencyCode', currency),
    paymentMeans(document),
    ...amounts.tax_breakdown.map((row) => tradeTax(row, currency, profile.cii)),
    ...(isInvoice ? [billingPeriod(document)] : []),
    group('ram:SpecifiedTradePaymentTerms', [
      isInvoice
        ? group('ram:DueDateDateTime', [ciiDate('udt', document.due_date)])
        : text('ram:Description', wordingOf(document.buyer.language).settlement(document)),
    ]),
    monetarySummation(amounts),
    earlier && invoiceReference(earlier),
  ]);
}

function paymentReference(invoice: Invoice): Markup | undefined {
  const isAsked = meansOf(invoice) !== undefined;
  return textIf('ram:PaymentReference', isAsked ? invoice.number : undefined);
}

function paymentMeans(document: Invoice | CreditNote): Markup | undefined {
  const code = meansOf(document);
  if (code === undefined) return undefined;
  const { iban, bic } = bankOf(document);
  return group('ram:SpecifiedTradeSettlementPaymentMeans', [
    text('ram:TypeCode', code),
    iban === undefined
      ? undefined
      : group('ram:PayeePartyCreditorFinancialAccount', [text('ram:IBANID', compactIban(iban))]),
    iban === undefined || bic === undefined
      ? undefined
      : group('ram:PayeeSpecifiedCreditorFinancialInstitution', [text('ram:BICID', bic)]),
  ]);
}

/** BG-23, a row of the tax by category. */
function tradeTax(row: TaxBreakdown, currency: string, { process }: Context): Markup {
  return group('ram:ApplicableTradeTax', [
    text('ram:CalculatedAmount', formatAmount(row.tax, currency)),
    text('ram:TypeCode', 'VAT'),
    textIf('ram:ExemptionReason', row.reason),
    text('ram:BasisAmount', formatAmount(row.taxable, currency)),
    text('ram:CategoryCode', row.category),
    ratePercent(row, process !== null),
  ]);
}

function billingPeriod({ period: { from, to } }: Invoice): Markup {
  return group('ram:BillingSpecifiedPeriod', [
    group('ram:StartDateTime', [ciiDate('udt', from)]),
    group('ram:EndDateTime', [ciiDate('udt', to)]),
  ]);
}

/** BG-22, the totals. */
function monetarySummation(amounts: XmlAmounts): Markup {
  const { currency, net, tax, total, tax_accounting, prepaid = 0 } = amounts;
  const amount = (name: string, minor: number): Markup => text(name, formatAmount(minor, currency));
  return group('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
    amount('ram:LineTotalAmount', net),
    amount('ram:TaxBasisTotalAmount', net),
    taxTotal(tax, currency),
    tax_accounting && taxTotal(tax_accounting.tax, tax_accounting.currency),
    amount('ram:GrandTotalAmount', total),
    prepaid === 0 ? undefined : amount('ram:TotalPrepaidAmount', prepaid),
    amount('ram:DuePayableAmount', total - prepaid),
  ]);
}

/** BT-110, and BT-111 in the currency in which tax is owed. */
function taxTotal(minor: number, currency: string): Markup {
  return text('ram:TaxTotalAmount', formatAmount(minor, currency), { currencyID: currency });
}

/** BG-3: the earlier invoice that the document is about. */
function invoiceReference({ number, issue_date }: DocumentReference): Markup {
  return group('ram:InvoiceReferencedDocument', [
    text('ram:IssuerAssignedID', number),
    group('ram:FormattedIssueDateTime', [ciiDate('qdt', issue_date)]),
  ]);
}

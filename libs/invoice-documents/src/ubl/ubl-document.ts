import type { CreditNote, DocumentReference, Invoice, Seller } from '#invoice-rules/invoice.js';
import { compactIban } from '#invoice-rules/party-rules.js';
import { wordingOf } from '../pdf/wording.js';
import type { Context } from '#invoice-rules/profiles.js';
import { DECLARATION, TYPE_CODES, type EInvoice } from '../xml/e-invoice.js';
import { bankOf, meansOf } from '../xml/payment-means.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';
import { monetaryTotal, taxAccounting, taxTotal } from './ubl-amounts.js';
import { ublLine } from './ubl-lines.js';
import { customerParty, supplierParty } from './ubl-parties.js';

const NAMESPACES = 'urn:oasis:names:specification:ubl:schema:xsd';

/**
 * UBL 2.1 by EN 16931 and the profile of the document. Lines keep their numbers; a credit note's
 * amounts are positive, as the standard has them.
 */
export function ublDocument(content: EInvoice): string {
  const { document } = content;
  const root =
    document.type === 'invoice' ? invoice(document, content) : creditNote(document, content);
  return `${DECLARATION}\n${root}\n`;
}

function invoice(document: Invoice, { profile, amounts, tax, lines }: EInvoice): Markup {
  const { currency, seller, buyer, period } = document;
  return group(
    'Invoice',
    [
      ...context(profile.ubl),
      text('cbc:ID', document.number),
      text('cbc:IssueDate', document.issue_date),
      text('cbc:DueDate', document.due_date),
      text('cbc:InvoiceTypeCode', TYPE_CODES.invoice),
      text('cbc:DocumentCurrencyCode', currency),
      textIf('cbc:TaxCurrencyCode', amounts.tax_accounting?.currency),
      textIf('cbc:BuyerReference', buyer.buyer_reference),
      group('cac:InvoicePeriod', [
        text('cbc:StartDate', period.from),
        text('cbc:EndDate', period.to),
      ]),
      orderReference(buyer.purchase_order),
      document.reissue_of && billingReference(document.reissue_of),
      supplierParty(seller, tax.category, buyer.invoice_format),
      customerParty(buyer, tax.category),
      paymentMeans(document),
      taxTotal(amounts, profile.ubl),
      taxAccounting(amounts),
      monetaryTotal(amounts),
      ...lines.map((line) => ublLine('invoice', line, currency, tax)),
    ],
    namespaces('Invoice'),
  );
}

function creditNote(document: CreditNote, { profile, amounts, tax, lines }: EInvoice): Markup {
  const { currency, seller, buyer, invoice: corrected } = document;
  return group(
    'CreditNote',
    [
      ...context(profile.ubl),
      text('cbc:ID', document.number),
      text('cbc:IssueDate', document.issue_date),
      text('cbc:CreditNoteTypeCode', TYPE_CODES.credit_note),
      textIf('cbc:Note', document.reason),
      text('cbc:DocumentCurrencyCode', currency),
      textIf('cbc:TaxCurrencyCode', amounts.tax_accounting?.currency),
      textIf('cbc:BuyerReference', buyer.buyer_reference),
      orderReference(buyer.purchase_order),
      billingReference(corrected),
      supplierParty(seller, tax.category, buyer.invoice_format),
      customerParty(buyer, tax.category),
      paymentMeans(document),
      group('cac:PaymentTerms', [
        text('cbc:Note', wordingOf(document.buyer.language).settlement(document)),
      ]),
      taxTotal(amounts, profile.ubl),
      taxAccounting(amounts),
      monetaryTotal(amounts),
      ...lines.map((line) => ublLine('credit_note', line, currency, tax)),
    ],
    namespaces('CreditNote'),
  );
}

/** BT-24 and BT-23. */
function context({ customization, process }: Context): (Markup | undefined)[] {
  return [
    text('cbc:CustomizationID', customization),
    textIf('cbc:ProfileID', process ?? undefined),
  ];
}

function namespaces(root: string): Record<string, string> {
  return {
    xmlns: `${NAMESPACES}:${root}-2`,
    'xmlns:cac': `${NAMESPACES}:CommonAggregateComponents-2`,
    'xmlns:cbc': `${NAMESPACES}:CommonBasicComponents-2`,
  };
}

/** BG-3: the earlier invoice that the document is about. */
function billingReference({ number, issue_date }: DocumentReference): Markup {
  return group('cac:BillingReference', [
    group('cac:InvoiceDocumentReference', [
      text('cbc:ID', number),
      text('cbc:IssueDate', issue_date),
    ]),
  ]);
}

function orderReference(purchaseOrder: string | undefined): Markup | undefined {
  if (purchaseOrder === undefined || purchaseOrder === '') return undefined;
  return group('cac:OrderReference', [text('cbc:ID', purchaseOrder)]);
}

/** BG-16. Only an invoice is paid to the seller's account. */
function paymentMeans(document: Invoice | CreditNote): Markup | undefined {
  const code = meansOf(document);
  if (code === undefined) return undefined;
  const isInvoice = document.type === 'invoice';
  return group('cac:PaymentMeans', [
    text('cbc:PaymentMeansCode', code),
    isInvoice ? text('cbc:PaymentID', document.number) : undefined,
    account(bankOf(document)),
  ]);
}

function account({ iban, bic }: Partial<Seller>): Markup | undefined {
  if (iban === undefined) return undefined;
  return group('cac:PayeeFinancialAccount', [
    text('cbc:ID', compactIban(iban)),
    bic === undefined ? undefined : group('cac:FinancialInstitutionBranch', [text('cbc:ID', bic)]),
  ]);
}

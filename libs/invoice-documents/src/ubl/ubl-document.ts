import type {
  CreditNote,
  DocumentReference,
  Invoice,
  Seller,
  TaxBreakdown,
} from '#billing/invoice.js';
import { compactIban } from '#billing/party-rules.js';
import { missingFor, type Missing } from '#billing/missing.js';
import { settlementText } from '../pdf/wording.js';
import { monetaryTotal, taxTotal, type UblAmounts } from './ubl-amounts.js';
import { creditNoteLine, invoiceLine } from './ubl-lines.js';
import { customerParty, supplierParty } from './ubl-parties.js';
import { group, text, textIf, type Markup } from './xml-markup.js';

/** XML in UTF-8, or what the standard asks for and the document does not have. */
export type UblResult =
  | { readonly outcome: 'written'; readonly xml: string }
  | { readonly outcome: 'missing'; readonly missing: readonly Missing[] };

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACES = 'urn:oasis:names:specification:ubl:schema:xsd';
const CUSTOMIZATION = 'urn:cen.eu:en16931:2017';
/** UNTDID 1001. */
const COMMERCIAL_INVOICE = '380';
const CREDIT_NOTE = '381';
/** UNTDID 4461: a credit transfer, not only within SEPA. */
const CREDIT_TRANSFER = '30';

/**
 * UBL 2.1 by EN 16931, specification identifier `urn:cen.eu:en16931:2017`. Lines keep their
 * numbers; a credit note's amounts are positive, as the standard has them.
 */
export function ublDocument(document: Invoice | CreditNote): UblResult {
  const missing = missingFor(document);
  if (missing.length > 0) return { outcome: 'missing', missing };
  const root = document.type === 'invoice' ? invoice(document) : creditNote(document);
  return { outcome: 'written', xml: `${DECLARATION}\n${root}\n` };
}

function invoice(document: Invoice): Markup {
  const { currency, seller, buyer, period } = document;
  const tax = onlyTax(document.tax_breakdown);
  return group(
    'Invoice',
    [
      text('cbc:CustomizationID', CUSTOMIZATION),
      text('cbc:ID', document.number),
      text('cbc:IssueDate', document.issue_date),
      text('cbc:DueDate', document.due_date),
      text('cbc:InvoiceTypeCode', COMMERCIAL_INVOICE),
      text('cbc:DocumentCurrencyCode', currency),
      textIf('cbc:BuyerReference', buyer.buyer_reference),
      group('cac:InvoicePeriod', [
        text('cbc:StartDate', period.from),
        text('cbc:EndDate', period.to),
      ]),
      orderReference(buyer.purchase_order),
      document.reissue_of && billingReference(document.reissue_of),
      supplierParty(seller, tax.category),
      customerParty(buyer, tax.category),
      paymentMeans(document.number, seller.iban),
      taxTotal(document),
      monetaryTotal(document),
      ...document.lines.map((line) => invoiceLine(line, currency, tax)),
    ],
    namespaces('Invoice'),
  );
}

function creditNote(document: CreditNote): Markup {
  const { currency, seller, buyer, invoice: corrected } = document;
  const amounts = withSignOfXml(document);
  const tax = onlyTax(amounts.tax_breakdown);
  return group(
    'CreditNote',
    [
      text('cbc:CustomizationID', CUSTOMIZATION),
      text('cbc:ID', document.number),
      text('cbc:IssueDate', document.issue_date),
      text('cbc:CreditNoteTypeCode', CREDIT_NOTE),
      textIf('cbc:Note', document.reason),
      text('cbc:DocumentCurrencyCode', currency),
      textIf('cbc:BuyerReference', buyer.buyer_reference),
      orderReference(buyer.purchase_order),
      billingReference(corrected),
      supplierParty(seller, tax.category),
      customerParty(buyer, tax.category),
      group('cac:PaymentTerms', [text('cbc:Note', settlementText(document))]),
      taxTotal(amounts),
      monetaryTotal(amounts),
      ...document.lines.map((line) => creditNoteLine(line, currency, tax)),
    ],
    namespaces('CreditNote'),
  );
}

function namespaces(root: string): Record<string, string> {
  return {
    xmlns: `${NAMESPACES}:${root}-2`,
    'xmlns:cac': `${NAMESPACES}:CommonAggregateComponents-2`,
    'xmlns:cbc': `${NAMESPACES}:CommonBasicComponents-2`,
  };
}

/** Lines name no category of their own: all of a document has the plan's. */
function onlyTax(rows: readonly TaxBreakdown[]): TaxBreakdown {
  const [row, ...others] = rows;
  if (row === undefined || others.length > 0) {
    throw new Error(`A document has one tax category, not ${rows.length}.`);
  }
  return row;
}

function withSignOfXml({ currency, net, tax, total, tax_breakdown }: CreditNote): UblAmounts {
  const rows = tax_breakdown.map((row) => ({
    ...row,
    taxable: 0 - row.taxable,
    tax: 0 - row.tax,
  }));
  return { currency, net: 0 - net, tax: 0 - tax, total: 0 - total, tax_breakdown: rows };
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

function paymentMeans(reference: string, iban: Seller['iban']): Markup | undefined {
  if (iban === undefined) return undefined;
  return group('cac:PaymentMeans', [
    text('cbc:PaymentMeansCode', CREDIT_TRANSFER),
    text('cbc:PaymentID', reference),
    group('cac:PayeeFinancialAccount', [text('cbc:ID', compactIban(iban))]),
  ]);
}

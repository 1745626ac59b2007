import type { CreditNote, Invoice, TaxCategory } from '#invoice-rules/invoice.js';
import type { Context } from '#invoice-rules/profiles.js';
import { DECLARATION, TYPE_CODES, type EInvoice } from '../xml/e-invoice.js';
import { group, text, textIf, type Markup } from '../xml/xml-markup.js';
import { ciiDate } from './cii-date.js';
import { ciiLine } from './cii-line.js';
import { buyerParty, sellerParty } from './cii-parties.js';
import { tradeSettlement } from './cii-settlement.js';

const NAMESPACES = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
};

/**
 * Cross Industry Invoice D16B by EN 16931, which is the profile EN 16931 of Factur-X, or by
 * XRechnung. It says what the UBL says; a credit note's amounts are positive.
 */
export function ciiDocument(content: EInvoice): string {
  const { document, profile, tax, lines } = content;
  const root = group(
    'rsm:CrossIndustryInvoice',
    [
      context(profile.cii),
      exchangedDocument(document),
      group('rsm:SupplyChainTradeTransaction', [
        ...lines.map((line) => ciiLine(line, document.currency, tax)),
        tradeAgreement(document, tax.category),
        // The schema asks for it, and nothing is delivered.
        group('ram:ApplicableHeaderTradeDelivery', []),
        tradeSettlement(content),
      ]),
    ],
    NAMESPACES,
  );
  return `${DECLARATION}\n${root}\n`;
}

/** BT-23 and BT-24. */
function context({ customization, process }: Context): Markup {
  return group('rsm:ExchangedDocumentContext', [
    process === null
      ? undefined
      : group('ram:BusinessProcessSpecifiedDocumentContextParameter', [text('ram:ID', process)]),
    group('ram:GuidelineSpecifiedDocumentContextParameter', [text('ram:ID', customization)]),
  ]);
}

function exchangedDocument(document: Invoice | CreditNote): Markup {
  const reason = document.type === 'credit_note' ? document.reason : '';
  return group('rsm:ExchangedDocument', [
    text('ram:ID', document.number),
    text('ram:TypeCode', TYPE_CODES[document.type]),
    group('ram:IssueDateTime', [ciiDate('udt', document.issue_date)]),
    reason === '' ? undefined : group('ram:IncludedNote', [text('ram:Content', reason)]),
  ]);
}

function tradeAgreement({ seller, buyer }: Invoice | CreditNote, category: TaxCategory): Markup {
  const { buyer_reference, purchase_order } = buyer;
  return group('ram:ApplicableHeaderTradeAgreement', [
    textIf('ram:BuyerReference', buyer_reference),
    sellerParty(seller, category, buyer.invoice_format),
    buyerParty(buyer, category),
    purchase_order === undefined || purchase_order === ''
      ? undefined
      : group('ram:BuyerOrderReferencedDocument', [text('ram:IssuerAssignedID', purchase_order)]),
  ]);
}

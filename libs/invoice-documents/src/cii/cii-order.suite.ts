import { XMLParser } from 'fast-xml-parser';

// Children of each element in the order of the schema of CII D16B, as far as they are used.
const DATE = 'udt:DateTimeString';
const ORDER: Readonly<Record<string, string>> = {
  'rsm:CrossIndustryInvoice':
    'rsm:ExchangedDocumentContext rsm:ExchangedDocument rsm:SupplyChainTradeTransaction',
  'rsm:ExchangedDocumentContext':
    'ram:BusinessProcessSpecifiedDocumentContextParameter ' +
    'ram:GuidelineSpecifiedDocumentContextParameter',
  'ram:BusinessProcessSpecifiedDocumentContextParameter': 'ram:ID',
  'ram:GuidelineSpecifiedDocumentContextParameter': 'ram:ID',
  'rsm:ExchangedDocument': 'ram:ID ram:TypeCode ram:IssueDateTime ram:IncludedNote',
  'ram:IssueDateTime': DATE,
  'ram:IncludedNote': 'ram:Content',
  'rsm:SupplyChainTradeTransaction':
    'ram:IncludedSupplyChainTradeLineItem ram:ApplicableHeaderTradeAgreement ' +
    'ram:ApplicableHeaderTradeDelivery ram:ApplicableHeaderTradeSettlement',
  'ram:IncludedSupplyChainTradeLineItem':
    'ram:AssociatedDocumentLineDocument ram:SpecifiedTradeProduct ram:SpecifiedLineTradeAgreement ' +
    'ram:SpecifiedLineTradeDelivery ram:SpecifiedLineTradeSettlement',
  'ram:AssociatedDocumentLineDocument': 'ram:LineID ram:IncludedNote',
  'ram:SpecifiedTradeProduct': 'ram:Name',
  'ram:SpecifiedLineTradeAgreement': 'ram:NetPriceProductTradePrice',
  'ram:NetPriceProductTradePrice': 'ram:ChargeAmount ram:BasisQuantity',
  'ram:SpecifiedLineTradeDelivery': 'ram:BilledQuantity',
  'ram:SpecifiedLineTradeSettlement':
    'ram:ApplicableTradeTax ram:SpecifiedTradeSettlementLineMonetarySummation',
  'ram:ApplicableTradeTax':
    'ram:CalculatedAmount ram:TypeCode ram:ExemptionReason ram:BasisAmount ram:CategoryCode ' +
    'ram:RateApplicablePercent',
  'ram:SpecifiedTradeSettlementLineMonetarySummation': 'ram:LineTotalAmount',
  'ram:ApplicableHeaderTradeAgreement':
    'ram:BuyerReference ram:SellerTradeParty ram:BuyerTradeParty ram:BuyerOrderReferencedDocument',
  'ram:SellerTradeParty':
    'ram:Name ram:SpecifiedLegalOrganization ram:DefinedTradeContact ram:PostalTradeAddress ' +
    'ram:URIUniversalCommunication ram:SpecifiedTaxRegistration',
  'ram:BuyerTradeParty':
    'ram:Name ram:SpecifiedLegalOrganization ram:DefinedTradeContact ram:PostalTradeAddress ' +
    'ram:URIUniversalCommunication ram:SpecifiedTaxRegistration',
  'ram:SpecifiedLegalOrganization': 'ram:ID',
  'ram:DefinedTradeContact':
    'ram:PersonName ram:TelephoneUniversalCommunication ram:EmailURIUniversalCommunication',
  'ram:TelephoneUniversalCommunication': 'ram:CompleteNumber',
  'ram:EmailURIUniversalCommunication': 'ram:URIID',
  'ram:PostalTradeAddress':
    'ram:PostcodeCode ram:LineOne ram:LineTwo ram:CityName ram:CountryID ' +
    'ram:CountrySubDivisionName',
  'ram:URIUniversalCommunication': 'ram:URIID',
  'ram:SpecifiedTaxRegistration': 'ram:ID',
  'ram:BuyerOrderReferencedDocument': 'ram:IssuerAssignedID',
  'ram:ApplicableHeaderTradeDelivery': '',
  'ram:ApplicableHeaderTradeSettlement':
    'ram:PaymentReference ram:TaxCurrencyCode ram:InvoiceCurrencyCode ' +
    'ram:SpecifiedTradeSettlementPaymentMeans ' +
    'ram:ApplicableTradeTax ram:BillingSpecifiedPeriod ram:SpecifiedTradePaymentTerms ' +
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation ram:InvoiceReferencedDocument',
  'ram:SpecifiedTradeSettlementPaymentMeans':
    'ram:TypeCode ram:PayeePartyCreditorFinancialAccount ' +
    'ram:PayeeSpecifiedCreditorFinancialInstitution',
  'ram:PayeeSpecifiedCreditorFinancialInstitution': 'ram:BICID',
  'ram:PayeePartyCreditorFinancialAccount': 'ram:IBANID',
  'ram:BillingSpecifiedPeriod': 'ram:StartDateTime ram:EndDateTime',
  'ram:StartDateTime': DATE,
  'ram:EndDateTime': DATE,
  'ram:SpecifiedTradePaymentTerms': 'ram:Description ram:DueDateDateTime',
  'ram:DueDateDateTime': DATE,
  'ram:SpecifiedTradeSettlementHeaderMonetarySummation':
    'ram:LineTotalAmount ram:TaxBasisTotalAmount ram:TaxTotalAmount ram:GrandTotalAmount ' +
    'ram:TotalPrepaidAmount ram:DuePayableAmount',
  'ram:InvoiceReferencedDocument': 'ram:IssuerAssignedID ram:FormattedIssueDateTime',
  'ram:FormattedIssueDateTime': 'qdt:DateTimeString',
};

type Ordered = Readonly<Record<string, readonly Ordered[] | undefined>>;

/** Elements that are not where the schema has them: `parent: child`. */
export function elementsOutOfOrder(xml: string): string[] {
  const parser = new XMLParser({ preserveOrder: true, ignoreDeclaration: true });
  return (parser.parse(xml) as readonly Ordered[]).flatMap(outOfOrder);
}

function outOfOrder(element: Ordered): string[] {
  const [parent = ''] = Object.keys(element);
  const children = (element[parent] ?? []).filter((child) => !('#text' in child));
  const order = ORDER[parent]?.split(' ') ?? [];
  let place = 0;
  const wrong = children.flatMap((child) => {
    const [name = ''] = Object.keys(child);
    const found = order.indexOf(name, place);
    if (found === -1) return [`${parent}: ${name}`];
    place = found;
    return [];
  });
  return [...wrong, ...children.flatMap(outOfOrder)];
}

import { all, attributes, text, xmlTree, type XmlTree } from '../xml/xml-tree.suite.js';

// CII as the UBL that says the same, term by term, so that one list of rules checks both, and both
// can be held against each other.

/** A place in CII, one in UBL, and how the text differs. */
type Term = readonly [cii: string, ubl: string, kind?: 'amount' | 'date'];

const AGREEMENT = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement';
const SETTLEMENT = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement';
const SUMMATION = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
const CORRECTED = 'cac:BillingReference/cac:InvoiceDocumentReference';
const MEANS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`;

const HEAD: readonly Term[] = [
  [
    'rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID',
    'cbc:ProfileID',
  ],
  [
    'rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID',
    'cbc:CustomizationID',
  ],
  ['rsm:ExchangedDocument/ram:ID', 'cbc:ID'],
  ['rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString', 'cbc:IssueDate', 'date'],
  ['rsm:ExchangedDocument/ram:IncludedNote/ram:Content', 'cbc:Note'],
  [`${SETTLEMENT}/ram:InvoiceCurrencyCode`, 'cbc:DocumentCurrencyCode'],
  [`${AGREEMENT}/ram:BuyerReference`, 'cbc:BuyerReference'],
  [
    `${AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`,
    'cac:OrderReference/cbc:ID',
  ],
  [
    `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime/udt:DateTimeString`,
    'cac:InvoicePeriod/cbc:StartDate',
    'date',
  ],
  [
    `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:EndDateTime/udt:DateTimeString`,
    'cac:InvoicePeriod/cbc:EndDate',
    'date',
  ],
  [
    `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString`,
    'cbc:DueDate',
    'date',
  ],
  [`${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:Description`, 'cac:PaymentTerms/cbc:Note'],
  [`${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`, `${CORRECTED}/cbc:ID`],
  [
    `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:FormattedIssueDateTime/qdt:DateTimeString`,
    `${CORRECTED}/cbc:IssueDate`,
    'date',
  ],
  [`${MEANS}/ram:TypeCode`, 'cac:PaymentMeans/cbc:PaymentMeansCode'],
  [`${SETTLEMENT}/ram:PaymentReference`, 'cac:PaymentMeans/cbc:PaymentID'],
  [
    `${MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:IBANID`,
    'cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID',
  ],
  [
    `${MEANS}/ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID`,
    'cac:PaymentMeans/cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID',
  ],
  [`${SETTLEMENT}/ram:TaxCurrencyCode`, 'cbc:TaxCurrencyCode'],
  [`${SUMMATION}/ram:LineTotalAmount`, 'cac:LegalMonetaryTotal/cbc:LineExtensionAmount', 'amount'],
  [
    `${SUMMATION}/ram:TaxBasisTotalAmount`,
    'cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount',
    'amount',
  ],
  [`${SUMMATION}/ram:GrandTotalAmount`, 'cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount', 'amount'],
  [`${SUMMATION}/ram:TotalPrepaidAmount`, 'cac:LegalMonetaryTotal/cbc:PrepaidAmount', 'amount'],
  [`${SUMMATION}/ram:DuePayableAmount`, 'cac:LegalMonetaryTotal/cbc:PayableAmount', 'amount'],
];

const PARTY: readonly Term[] = [
  ['ram:URIUniversalCommunication/ram:URIID', 'cbc:EndpointID'],
  ['ram:PostalTradeAddress/ram:LineOne', 'cac:PostalAddress/cbc:StreetName'],
  ['ram:PostalTradeAddress/ram:LineTwo', 'cac:PostalAddress/cbc:AdditionalStreetName'],
  ['ram:PostalTradeAddress/ram:CityName', 'cac:PostalAddress/cbc:CityName'],
  ['ram:PostalTradeAddress/ram:PostcodeCode', 'cac:PostalAddress/cbc:PostalZone'],
  ['ram:PostalTradeAddress/ram:CountrySubDivisionName', 'cac:PostalAddress/cbc:CountrySubentity'],
  ['ram:PostalTradeAddress/ram:CountryID', 'cac:PostalAddress/cac:Country/cbc:IdentificationCode'],
  ['ram:SpecifiedTaxRegistration/ram:ID', 'cac:PartyTaxScheme/cbc:CompanyID'],
  ['ram:Name', 'cac:PartyLegalEntity/cbc:RegistrationName'],
  ['ram:SpecifiedLegalOrganization/ram:ID', 'cac:PartyLegalEntity/cbc:CompanyID'],
  ['ram:DefinedTradeContact/ram:PersonName', 'cac:Contact/cbc:Name'],
  [
    'ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber',
    'cac:Contact/cbc:Telephone',
  ],
  [
    'ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID',
    'cac:Contact/cbc:ElectronicMail',
  ],
];

const SUBTOTAL: readonly Term[] = [
  ['ram:BasisAmount', 'cbc:TaxableAmount', 'amount'],
  ['ram:CalculatedAmount', 'cbc:TaxAmount', 'amount'],
  ['ram:CategoryCode', 'cac:TaxCategory/cbc:ID'],
  ['ram:RateApplicablePercent', 'cac:TaxCategory/cbc:Percent'],
  ['ram:ExemptionReason', 'cac:TaxCategory/cbc:TaxExemptionReason'],
  ['ram:TypeCode', 'cac:TaxCategory/cac:TaxScheme/cbc:ID'],
];

const LINE_TAX = 'ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax';
const LINE_PRICE = 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice';

function lineTerms(quantity: string): readonly Term[] {
  return [
    ['ram:AssociatedDocumentLineDocument/ram:LineID', 'cbc:ID'],
    ['ram:AssociatedDocumentLineDocument/ram:IncludedNote/ram:Content', 'cbc:Note'],
    ['ram:SpecifiedLineTradeDelivery/ram:BilledQuantity', quantity],
    [
      'ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount',
      'cbc:LineExtensionAmount',
      'amount',
    ],
    ['ram:SpecifiedTradeProduct/ram:Name', 'cac:Item/cbc:Name'],
    [`${LINE_TAX}/ram:CategoryCode`, 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID'],
    [`${LINE_TAX}/ram:RateApplicablePercent`, 'cac:Item/cac:ClassifiedTaxCategory/cbc:Percent'],
    [`${LINE_TAX}/ram:TypeCode`, 'cac:Item/cac:ClassifiedTaxCategory/cac:TaxScheme/cbc:ID'],
    [`${LINE_PRICE}/ram:ChargeAmount`, 'cac:Price/cbc:PriceAmount', 'amount'],
    [`${LINE_PRICE}/ram:BasisQuantity`, 'cac:Price/cbc:BaseQuantity'],
  ];
}

type Node = Record<string, Node[] | string>;
/** Those that UBL has too; VAT identifiers have none there, and dates no format. */
const ATTRIBUTES = ['currencyID', 'unitCode', 'schemeID'];
const VAT_SCHEME = 'cac:PartyTaxScheme/cac:TaxScheme/cbc:ID';

/** The UBL document that says what a CII says, in no order of elements. */
export function ublOfCii(xml: string): XmlTree {
  const root = only(xmlTree(xml), 'rsm:CrossIndustryInvoice');
  const settlement = only(root, SETTLEMENT);
  const currency = text(settlement, 'ram:InvoiceCurrencyCode') ?? '';
  const code = text(root, 'rsm:ExchangedDocument/ram:TypeCode');
  const kind = code === '381' ? 'CreditNote' : 'Invoice';
  const ubl: Node = {};
  put(ubl, `cbc:${kind}TypeCode`, { '#text': code ?? '' });
  move(root, ubl, HEAD, currency);
  for (const [party, role] of [
    ['Seller', 'Supplier'],
    ['Buyer', 'Customer'],
  ] as const) {
    const whole = put(ubl, `cac:Accounting${role}Party/cac:Party`, {});
    const found = only(root, `${AGREEMENT}/ram:${party}TradeParty`);
    move(found, whole, PARTY, currency);
    const [scheme] = attributes(found, 'ram:SpecifiedTaxRegistration/ram:ID', 'schemeID');
    if (scheme === 'VA') put(whole, VAT_SCHEME, { '#text': 'VAT' });
  }
  for (const total of all(root, SUMMATION)) {
    for (const amount of all(total, 'ram:TaxTotalAmount')) {
      move({ amount: [amount] }, add(ubl, 'cac:TaxTotal'), [['amount', 'cbc:TaxAmount']], currency);
    }
  }
  for (const row of all(settlement, 'ram:ApplicableTradeTax')) {
    move(row, add(put(ubl, 'cac:TaxTotal', {}), 'cac:TaxSubtotal'), SUBTOTAL, currency);
  }
  const quantity = kind === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity';
  for (const line of all(
    root,
    'rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem',
  )) {
    move(line, add(ubl, `cac:${kind}Line`), lineTerms(quantity), currency);
  }
  return { [kind]: [ubl] };
}

function only(tree: XmlTree, path: string): XmlTree {
  const found = all(tree, path);
  if (found.length !== 1) throw new Error(`${path} is there ${found.length} times.`);
  return found[0] ?? {};
}

function move(from: XmlTree, to: Node, terms: readonly Term[], currency: string): void {
  for (const [cii, ubl, kind] of terms) {
    for (const element of all(from, cii)) {
      const value = element['#text'];
      if (typeof value !== 'string') continue;
      const own: Node = {
        '#text': kind === 'date' ? hyphenated(value, element['@format']) : value,
      };
      for (const name of ATTRIBUTES) {
        const attribute = element[`@${name}`];
        if (typeof attribute === 'string' && attribute !== 'VA') own[`@${name}`] = attribute;
      }
      if (kind === 'amount') own['@currencyID'] = currency;
      put(to, ubl, own);
    }
  }
}

function hyphenated(date: string, format: unknown): string {
  if (format !== '102') throw new Error('A date has another format.');
  return date.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
}

/** Puts an element at a path, below what is there already. */
function put(root: Node, path: string, own: Node): Node {
  const names = path.split('/');
  const last = names.pop() ?? '';
  const parent = names.reduce(
    (node, name) => (node[name] as Node[] | undefined)?.[0] ?? add(node, name),
    root,
  );
  const there = (parent[last] as Node[] | undefined)?.[0];
  if (there !== undefined && Object.keys(own).length === 0) return there;
  return Object.assign(add(parent, last), own);
}

function add(parent: Node, name: string): Node {
  const node: Node = {};
  const siblings = parent[name];
  if (Array.isArray(siblings)) siblings.push(node);
  else parent[name] = [node];
  return node;
}

/** A tree without white space between elements and without namespaces. */
export function bare(tree: XmlTree): XmlTree {
  const entries = Object.entries(tree).flatMap(([name, value]): [string, XmlTree[string]][] => {
    if (name === '?xml' || name.startsWith('@xmlns') || value === undefined) return [];
    if (typeof value === 'string') return value.trim() === '' ? [] : [[name, value]];
    return [[name, value.map(bare)]];
  });
  return Object.fromEntries(entries);
}

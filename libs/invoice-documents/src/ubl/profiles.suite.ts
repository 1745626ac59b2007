import type { InvoiceFormat } from '#invoice-rules/invoice.js';
import { all, attributes, text, type XmlTree } from '../xml/xml-tree.suite.js';
import { BUYER, cents, SELLER, type Rule, type UblTree } from './ubl-tree.suite.js';

// The rules of Peppol BIS Billing 3 and XRechnung 3.0 that concern what is written, from their
// specifications and without any of the code that writes the XML.

const BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const CIUS = 'urn:cen.eu:en16931:2017#compliant#';
const SLACK = 2;

function has(tree: XmlTree, path: string): boolean {
  return (text(tree, path) ?? '').trim() !== '';
}

function names(id: string, path: string): Rule {
  return [id, ({ root }) => has(root, path)];
}

function countryOf({ root }: UblTree, party: string): string | undefined {
  return text(root, `${party}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`);
}

function isWithin(country: string, ubl: UblTree): boolean {
  return [SELLER, BUYER].every((party) => countryOf(ubl, party) === country);
}

const totals = ({ root }: UblTree) => all(root, 'cac:TaxTotal');

/** Both profiles have these. */
const COMMON: readonly Rule[] = [
  ['PEPPOL-EN16931-R001', ({ root }) => text(root, 'cbc:ProfileID') === BILLING],
  names('PEPPOL-EN16931-R010', `${BUYER}/cbc:EndpointID`),
  names('PEPPOL-EN16931-R020', `${SELLER}/cbc:EndpointID`),
  [
    'PEPPOL-EN16931-R053',
    (ubl) => totals(ubl).filter((one) => all(one, 'cac:TaxSubtotal').length > 0).length === 1,
  ],
  [
    'PEPPOL-EN16931-R054',
    (ubl) =>
      totals(ubl).filter((one) => all(one, 'cac:TaxSubtotal').length === 0).length ===
      (text(ubl.root, 'cbc:TaxCurrencyCode') === undefined ? 0 : 1),
  ],
  [
    'PEPPOL-EN16931-R055',
    (ubl) => {
      const signs = totals(ubl).map((one) => Math.sign(Number(text(one, 'cbc:TaxAmount'))));
      return !(signs.includes(1) && signs.includes(-1));
    },
  ],
  [
    'PEPPOL-EN16931-R120',
    ({ lines }) =>
      lines.every((line) => {
        const [quantity] = ['cbc:InvoicedQuantity', 'cbc:CreditedQuantity'].flatMap(
          (name) => text(line, name) ?? [],
        );
        const base = Number(text(line, 'cac:Price/cbc:BaseQuantity') ?? '1');
        const exact = (Number(quantity) * cents(text(line, 'cac:Price/cbc:PriceAmount'))) / base;
        return Math.abs(exact - cents(text(line, 'cbc:LineExtensionAmount'))) <= SLACK;
      }),
  ],
];

/** Between two German parties Peppol asks for the same. */
const GERMAN: readonly Rule[] = [
  ['BR-DE-1', ({ root }) => all(root, 'cac:PaymentMeans').length === 1],
  names('BR-DE-3', `${SELLER}/cac:PostalAddress/cbc:CityName`),
  names('BR-DE-4', `${SELLER}/cac:PostalAddress/cbc:PostalZone`),
  names('BR-DE-5', `${SELLER}/cac:Contact/cbc:Name`),
  [
    'BR-DE-6',
    ({ root }) => /(?:\d\D*){3}/.test(text(root, `${SELLER}/cac:Contact/cbc:Telephone`) ?? ''),
  ],
  names('BR-DE-7', `${SELLER}/cac:Contact/cbc:ElectronicMail`),
  names('BR-DE-8', `${BUYER}/cac:PostalAddress/cbc:CityName`),
  names('BR-DE-9', `${BUYER}/cac:PostalAddress/cbc:PostalZone`),
  [
    'BR-DE-14',
    ({ subtotals }) => subtotals.every((row) => has(row, 'cac:TaxCategory/cbc:Percent')),
  ],
  names('BR-DE-15', 'cbc:BuyerReference'),
  [
    'BR-DE-23-a',
    ({ root }) =>
      all(root, 'cac:PaymentMeans').every(
        (means) =>
          text(means, 'cbc:PaymentMeansCode') !== '30' ||
          has(means, 'cac:PayeeFinancialAccount/cbc:ID'),
      ),
  ],
];

const XRECHNUNG: readonly Rule[] = [
  [
    'BR-DE-21',
    ({ root }) =>
      text(root, 'cbc:CustomizationID') === `${CIUS}urn:xeinkauf.de:kosit:xrechnung_3.0`,
  ],
  ...COMMON,
  ...GERMAN,
];

const REGISTERS: Readonly<Record<string, readonly string[]>> = {
  DK: ['0184'],
  IS: ['0196'],
  NL: ['0106', '0190'],
};

const PEPPOL: readonly Rule[] = [
  [
    'PEPPOL-EN16931-R004',
    ({ root }) =>
      text(root, 'cbc:CustomizationID') === `${CIUS}urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
  ],
  ...COMMON,
  [
    'PEPPOL-EN16931-R003',
    ({ root }) => has(root, 'cbc:BuyerReference') || has(root, 'cac:OrderReference/cbc:ID'),
  ],
  [
    'PEPPOL-EN16931-CL008',
    ({ root }) =>
      [SELLER, BUYER].every((party) =>
        attributes(root, `${party}/cbc:EndpointID`, 'schemeID').every((code) =>
          /^\d{4}$/.test(code),
        ),
      ),
  ],
  [
    'PEPPOL-EN16931-R051',
    ({ root }) => {
      const own = text(root, 'cbc:DocumentCurrencyCode');
      return totals({ root } as UblTree).every(
        (one) =>
          all(one, 'cac:TaxSubtotal').length === 0 ||
          attributes(one, 'cbc:TaxAmount', 'currencyID').every((code) => code === own),
      );
    },
  ],
  ...GERMAN.map(([id, holds]): Rule => [id, (ubl) => !isWithin('DE', ubl) || holds(ubl)]),
  [
    'DK-R-014 IS-R-002 NL-R-003',
    (ubl) => {
      const registers = REGISTERS[countryOf(ubl, SELLER) ?? ''];
      const path = `${SELLER}/cac:PartyLegalEntity/cbc:CompanyID`;
      const schemes = attributes(ubl.root, path, 'schemeID');
      return registers === undefined || schemes.some((scheme) => registers.includes(scheme));
    },
  ],
  [
    'IS-R-003',
    (ubl) =>
      countryOf(ubl, SELLER) !== 'IS' ||
      has(ubl.root, `${SELLER}/cac:PostalAddress/cbc:PostalZone`),
  ],
  [
    'DK-R-005',
    (ubl) =>
      !isWithin('DK', ubl) || text(ubl.root, 'cac:PaymentMeans/cbc:PaymentMeansCode') !== '30',
  ],
];

const NONE: readonly Rule[] = [];

/** Rules that the UBL of a format keeps beyond EN 16931. */
export const RULES_OF: Readonly<Record<InvoiceFormat, readonly Rule[]>> = {
  en16931: NONE,
  'factur-x': NONE,
  'peppol-bis-3': PEPPOL,
  'xrechnung-3.0': XRECHNUNG,
};

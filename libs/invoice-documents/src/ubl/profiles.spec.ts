import fc from 'fast-check';
import type { CreditNote, Invoice, InvoiceFormat } from '#invoice-rules/invoice.js';
import { INVOICE_FORMATS } from '#invoice-rules/profiles.js';
import { reasonsToHold } from '#invoice-rules/reasons-to-hold.js';
import { ciiDocument } from '../cii/cii-document.js';
import { elementsOutOfOrder } from '../cii/cii-order.suite.js';
import { bare, ublOfCii } from '../cii/cii-tree.suite.js';
import { anyDocument } from '../random-documents.suite.js';
import { BUYER, sampleCreditNote, sampleInvoice, SELLER } from '../sample-documents.suite.js';
import { eInvoiceOf } from '../xml/e-invoice.js';
import { xmlTree } from '../xml/xml-tree.suite.js';
import { brokenRules, brokenRulesOf } from './en16931.suite.js';
import { RULES_OF } from './profiles.suite.js';
import { ublDocument } from './ubl-document.js';

function written(document: Invoice | CreditNote): { ubl: string; cii: string } {
  const result = eInvoiceOf(document);
  if (result.outcome !== 'complete') throw new Error(JSON.stringify(result.missing));
  return { ubl: ublDocument(result.eInvoice), cii: ciiDocument(result.eInvoice) };
}

const FACTS = { isTaxStated: true, heldBefore: null };

test.each(INVOICE_FORMATS)('a document in %s that is not held keeps its rules', (format) => {
  fc.assert(
    fc.property(anyDocument(format), (document) => {
      const held = reasonsToHold(document, FACTS).map(({ pointer }) => pointer);
      expect(held.filter((pointer) => pointer !== '/tax/category')).toEqual([]);
      const { ubl, cii } = written(document);
      expect(brokenRules(ubl, RULES_OF[format])).toEqual([]);
      expect(brokenRulesOf(ublOfCii(cii))).toEqual([]);
      expect(elementsOutOfOrder(cii)).toEqual([]);
      // Peppol BIS is of UBL only: its CII is that of EN 16931.
      if (format !== 'peppol-bis-3') expect(bare(ublOfCii(cii))).toEqual(bare(xmlTree(ubl)));
    }),
    { numRuns: 60 },
  );
});

const GLN = { scheme: '0088', id: '5790000436057' };
const DE = { ...BUYER.address, country: 'DE' };
const parties = (invoice_format: InvoiceFormat) => ({
  seller: {
    ...SELLER,
    bic: 'COBADEFFXXX',
    contact: { name: 'Accounting', phone: '+49 30 123456' },
    endpoint: GLN,
  },
  buyer: { ...BUYER, address: DE, endpoint: GLN, invoice_format },
});

/** A replacement in the sample's XML, and the rule of the profile that it breaks. */
const DAMAGES: readonly [rule: string, format: InvoiceFormat, from: string | RegExp, to: string][] =
  [
    ['PEPPOL-EN16931-R001', 'peppol-bis-3', /<cbc:ProfileID>.*/, ''],
    ['PEPPOL-EN16931-R001', 'xrechnung-3.0', ':billing:01:', ':other:01:'],
    ['PEPPOL-EN16931-R004', 'peppol-bis-3', 'billing:3.0', 'billing:2.0'],
    ['PEPPOL-EN16931-R010', 'peppol-bis-3', /(?<=Customer[^]*)<cbc:EndpointID.*/, ''],
    ['PEPPOL-EN16931-R020', 'xrechnung-3.0', /<cbc:EndpointID.*/, ''],
    ['PEPPOL-EN16931-R003', 'peppol-bis-3', /<cbc:BuyerReference>[^]*<\/cac:OrderReference>/, ''],
    ['PEPPOL-EN16931-R053', 'peppol-bis-3', /(<cac:TaxTotal>[^]*<\/cac:TaxTotal>)/, '$1$1'],
    ['PEPPOL-EN16931-R054', 'peppol-bis-3', '</cac:TaxTotal>', '</cac:TaxTotal><cac:TaxTotal/>'],
    ['PEPPOL-EN16931-R120', 'peppol-bis-3', '>49420<', '>49500<'],
    ['PEPPOL-EN16931-CL008', 'peppol-bis-3', 'schemeID="0088"', 'schemeID="EM"'],
    [
      'PEPPOL-EN16931-R051',
      'peppol-bis-3',
      /(?<=TaxTotal>\n<cbc:TaxAmount currencyID=")EUR/,
      'USD',
    ],
    ['BR-DE-1', 'xrechnung-3.0', /<cac:PaymentMeans>[^]*<\/cac:PaymentMeans>/, ''],
    ['BR-DE-1', 'peppol-bis-3', /<cac:PaymentMeans>[^]*<\/cac:PaymentMeans>/, ''],
    ['BR-DE-3', 'xrechnung-3.0', /<cbc:CityName>.*/, ''],
    ['BR-DE-4', 'xrechnung-3.0', /<cbc:PostalZone>.*/, ''],
    ['BR-DE-5', 'xrechnung-3.0', /<cbc:Name>Accounting.*/, ''],
    ['BR-DE-6', 'xrechnung-3.0', '+49 30 123456', '+4'],
    ['BR-DE-7', 'xrechnung-3.0', /<cbc:ElectronicMail>.*/, ''],
    ['BR-DE-8', 'xrechnung-3.0', /(?<=Customer[^]*)<cbc:CityName>.*/, ''],
    ['BR-DE-9', 'xrechnung-3.0', /(?<=Customer[^]*)<cbc:PostalZone>.*/, ''],
    ['BR-DE-14', 'xrechnung-3.0', '<cbc:Percent>19</cbc:Percent>', ''],
    ['BR-DE-15', 'xrechnung-3.0', /<cbc:BuyerReference>.*/, ''],
    ['BR-DE-21', 'xrechnung-3.0', 'xrechnung_3.0', 'xrechnung_2.0'],
    [
      'BR-DE-23-a',
      'xrechnung-3.0',
      /<cac:PayeeFinancialAccount>[^]*<\/cac:PayeeFinancialAccount>/,
      '',
    ],
  ];

describe('the check of these rules finds', () => {
  test.each(DAMAGES)('a breach of %s in %s', (rule, format, from, to) => {
    const sound = written(sampleInvoice(parties(format))).ubl;
    expect(brokenRules(sound, RULES_OF[format])).toEqual([]);
    const damaged = sound.replace(from, to);
    expect(damaged).not.toBe(sound);
    expect(brokenRules(damaged, RULES_OF[format])).toContain(rule);
  });
});

test('a Danish transfer has no code, and a Danish seller the register of its number', () => {
  const { seller, buyer } = parties('peppol-bis-3');
  const DK = { ...DE, country: 'DK' };
  const danish = { seller: { ...seller, address: DK, registration_id: '12345678' } };
  const { ubl } = written(sampleInvoice({ ...danish, buyer: { ...buyer, address: DK } }));
  expect(brokenRules(ubl, RULES_OF['peppol-bis-3'])).toEqual([]);
  const coded = ubl.replace('MeansCode>1<', 'MeansCode>30<');
  expect(brokenRules(coded, RULES_OF['peppol-bis-3'])).toEqual(['DK-R-005']);
  const bareId = ubl.replace(' schemeID="0184"', '');
  expect(brokenRules(bareId, RULES_OF['peppol-bis-3'])).toEqual(['DK-R-014 IS-R-002 NL-R-003']);
});

test('contact, electronic address and BIC are in both syntaxes', () => {
  const { ubl, cii } = written(sampleInvoice(parties('xrechnung-3.0')));
  for (const xml of [ubl, cii]) {
    for (const fact of ['Accounting', '+49 30 123456', 'COBADEFFXXX', GLN.id]) {
      expect(xml).toContain(`>${fact}<`);
    }
  }
  const { ubl: note } = written({ ...sampleCreditNote('O'), ...parties('xrechnung-3.0') });
  expect(brokenRules(note, RULES_OF['xrechnung-3.0'])).toEqual([]);
  expect(note).toContain('<cbc:PaymentMeansCode>1</cbc:PaymentMeansCode>');
});

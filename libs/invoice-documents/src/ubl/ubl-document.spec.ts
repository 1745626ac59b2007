import fc from 'fast-check';
import type { CreditNote, Invoice, InvoiceLine, TaxCategory } from '#invoice-rules/invoice.js';
import {
  BUYER,
  manyLines,
  sampleCreditNote,
  sampleInvoice,
  SELLER,
} from '../sample-documents.suite.js';
import { eInvoiceOf } from '../xml/e-invoice.js';
import { anyDocument } from '../random-documents.suite.js';
import { all, text, texts, xmlTree } from '../xml/xml-tree.suite.js';
import { brokenRules } from './en16931.suite.js';
import { ublDocument } from './ubl-document.js';

function written(document: Invoice | CreditNote): string {
  const result = eInvoiceOf(document);
  if (result.outcome !== 'complete') throw new Error(JSON.stringify(result.missing));
  return ublDocument(result.eInvoice);
}

const CATEGORIES: readonly TaxCategory[] = ['S', 'Z', 'E', 'AE', 'G', 'O'];

describe('the XML keeps the rules of EN 16931', () => {
  test.each(CATEGORIES)('for an invoice of tax category %s', (category) => {
    expect(brokenRules(written(sampleInvoice({}, category)))).toEqual([]);
  });

  test.each(CATEGORIES)('for a credit note of tax category %s', (category) => {
    expect(brokenRules(written(sampleCreditNote(category)))).toEqual([]);
  });

  test('for one line and for two thousand', () => {
    const fee: InvoiceLine = { n: 1, type: 'fee', description: 'Monthly fee', amount: 4900 };
    expect(brokenRules(written(sampleInvoice({ lines: [fee] })))).toEqual([]);
    expect(brokenRules(written(sampleInvoice({ lines: manyLines(2000) })))).toEqual([]);
  });

  test('for an invoice that only shows what was prepaid', () => {
    const lines = sampleInvoice().lines.slice(0, 3);
    expect(brokenRules(written(sampleInvoice({ lines }, 'O')))).toEqual([]);
  });

  test('for a currency without decimals', () => {
    expect(brokenRules(written(sampleInvoice({ currency: 'JPY' })))).toEqual([]);
  });

  test('for any invoice and credit note', () => {
    fc.assert(
      fc.property(anyDocument(), (document) => {
        expect(brokenRules(written(document))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

/** A replacement in the sample's XML, and the rule that it breaks. */
const DAMAGES: readonly [rule: string, category: TaxCategory, from: string | RegExp, to: string][] =
  [
    ['BR-01', 'S', 'urn:cen.eu:en16931:2017', 'urn:example'],
    ['BR-02', 'S', '<cbc:ID>INV-000001</cbc:ID>\n<cbc:IssueDate>', '<cbc:IssueDate>'],
    ['BR-03', 'S', '2026-11-01', '1.11.2026'],
    ['BR-04', 'S', '>380<', '>381<'],
    ['BR-05', 'S', '>EUR<', '>euro<'],
    ['BR-06', 'S', '<cbc:RegistrationName>Popindex GmbH</cbc:RegistrationName>', ''],
    ['BR-07', 'S', /<cbc:RegistrationName>M.*<\/cbc:RegistrationName>/, ''],
    ['BR-08', 'S', /<cac:PostalAddress>[^]*?<\/cac:PostalAddress>/, ''],
    ['BR-09', 'S', '<cbc:IdentificationCode>DE</cbc:IdentificationCode>', ''],
    ['BR-10', 'S', /(?<=Customer[^]*)<cac:PostalAddress>[^]*?<\/cac:PostalAddress>/, ''],
    ['BR-11', 'S', '<cbc:IdentificationCode>DK</cbc:IdentificationCode>', ''],
    ['BR-12', 'S', /(?<=Total>\n)<cbc:LineExtensionAmount.*/, ''],
    ['BR-13', 'S', /<cbc:TaxExclusiveAmount.*/, ''],
    ['BR-14', 'S', /<cbc:TaxInclusiveAmount.*/, ''],
    ['BR-15', 'S', /<cbc:PayableAmount.*/, ''],
    ['BR-16', 'S', /<cac:InvoiceLine>[^]*<\/cac:InvoiceLine>/, ''],
    ['BR-21', 'S', /(?<=InvoiceLine>\n)<cbc:ID>1<\/cbc:ID>/, ''],
    ['BR-22', 'S', /<cbc:InvoicedQuantity.*/, ''],
    ['BR-23', 'S', ' unitCode="C62"', ''],
    ['BR-24', 'S', /(?<=Quantity>\n)<cbc:LineExtensionAmount.*/, ''],
    ['BR-25', 'S', '<cbc:Name>Monthly fee</cbc:Name>', ''],
    ['BR-26', 'S', /<cbc:PriceAmount.*/, ''],
    ['BR-27', 'S', /(?<="EUR">)12\.50/, '-12.50'],
    ['BR-29', 'S', '2026-10-31', '2026-09-30'],
    ['BR-45', 'S', /<cbc:TaxableAmount.*/, ''],
    ['BR-46', 'S', /(?<=Taxable.*\n)<cbc:TaxAmount.*/, ''],
    ['BR-47', 'S', /(?<=cac:TaxCategory>\n)<cbc:ID>S<\/cbc:ID>/, ''],
    ['BR-48', 'S', '<cbc:Percent>19</cbc:Percent>', ''],
    ['BR-50', 'S', /<cac:PayeeFinancialAccount>[^]*<\/cac:PayeeFinancialAccount>/, ''],
    ['BR-62', 'S', ' schemeID="EM"', ''],
    ['BR-CO-04', 'S', /(?<=ClassifiedTaxCategory>\n)<cbc:ID>S<\/cbc:ID>/, ''],
    ['BR-CO-09', 'S', 'DE123456788', '123456789'],
    ['BR-CO-10', 'S', /(?<=Total>\n<cbc:Line.*>)666\.75/, '666.76'],
    ['BR-CO-13', 'S', /(?<=TaxExclusive.*>)666\.75/, '666.76'],
    ['BR-CO-14', 'S', '126.68', '126.69'],
    ['BR-CO-15', 'S', /(?<=TaxInclusive.*>)793\.43/, '793.44'],
    ['BR-CO-16', 'S', /(?<=Payable.*>)793\.43/, '793.44'],
    ['BR-CO-17', 'S', /126\.68/g, '126.69'],
    ['BR-CO-18', 'S', /<cac:TaxSubtotal>[^]*<\/cac:TaxSubtotal>/, ''],
    ['BR-CO-25', 'S', '<cbc:DueDate>2026-11-15</cbc:DueDate>', ''],
    ['BR-CO-26', 'O', /<cbc:CompanyID>HRB.*/, ''],
    ['BR-LIN', 'S', '>49420<', '>49421<'],
    ['BR-DEC PayableAmount', 'S', /(?<=Payable.*>)793\.43/, '793.430'],
    ['BR-DEC-13', 'S', '126.68', '126.680'],
    ['BR-DEC-19', 'S', /(?<=Taxable.*>)666\.75/, '666.750'],
    ['BR-DEC-20', 'S', /126\.68/g, '126.680'],
    ['BR-DEC-23', 'S', '617.75', '617.750'],
    ['BR-CURRENCY', 'S', 'currencyID="EUR"', 'currencyID="USD"'],
    ['BR-S-02', 'S', /<cac:PartyTaxScheme>[^]*?<\/cac:PartyTaxScheme>/, ''],
    ['BR-S-05', 'S', /<cbc:Percent>19/g, '<cbc:Percent>0'],
    ['BR-S-08', 'S', /(?<=Taxable.*>)666\.75/, '666.76'],
    ['BR-S-10', 'S', /(?<=Percent>)(?=\n)/, '<cbc:TaxExemptionReason>No</cbc:TaxExemptionReason>'],
    ['BR-Z-02', 'Z', /<cac:PartyTaxScheme>[^]*?<\/cac:PartyTaxScheme>/, ''],
    ['BR-Z-05', 'Z', /<cbc:Percent>0/g, '<cbc:Percent>19'],
    ['BR-Z-09', 'Z', /(?<=TaxAmount.*>)0\.00/g, '0.01'],
    ['BR-Z-10', 'Z', /(?<=Percent>)(?=\n)/, '<cbc:TaxExemptionReason>No</cbc:TaxExemptionReason>'],
    ['BR-E-10', 'E', /<cbc:TaxExemptionReason>.*/, ''],
    ['BR-AE-02', 'AE', '<cbc:CompanyID>DK12345678</cbc:CompanyID>', ''],
    ['BR-AE-10', 'AE', /<cbc:TaxExemptionReason>.*/, ''],
    ['BR-G-02', 'G', '<cbc:CompanyID>DE123456788</cbc:CompanyID>', ''],
    ['BR-G-10', 'G', /<cbc:TaxExemptionReason>.*/, ''],
    ['BR-O-05', 'O', /(?<=Classified.*\n<cbc:ID>O<\/cbc:ID>)/, '<cbc:Percent>0</cbc:Percent>'],
    ['BR-O-10', 'O', /<cbc:TaxExemptionReason>.*/, ''],
    ['BR-O-01', 'O', /(?<=cac:TaxCategory>\n<cbc:ID>)O/, 'E'],
    ['BR-O-11', 'O', /(<cac:TaxSubtotal>[^]*<\/cac:TaxSubtotal>)/, '$1$1'],
  ];

describe('the check of these rules finds', () => {
  test.each(DAMAGES)('a breach of %s of category %s', (rule, category, from, to) => {
    const sound = written(sampleInvoice({}, category));
    const damaged = sound.replace(from, to);
    expect(damaged).not.toBe(sound);
    expect(brokenRules(damaged)).toContain(rule);
  });

  test('a VAT identifier where the category O allows none', () => {
    const damaged = written(sampleInvoice({}, 'S')).replaceAll(
      '<cbc:ID>S</cbc:ID>',
      '<cbc:ID>O</cbc:ID>',
    );
    expect(brokenRules(damaged)).toEqual(expect.arrayContaining(['BR-O-02', 'BR-O-05']));
  });

  test('a credit note that does not name its invoice', () => {
    const damaged = written(sampleCreditNote()).replace('<cbc:ID>INV-000001</cbc:ID>', '');
    expect(brokenRules(damaged)).toEqual(['BR-55']);
  });

  test('a tax of a credit note that is a cent off, where those of parts are less', () => {
    const damaged = written(sampleCreditNote()).replaceAll('33.06', '33.07');
    expect(brokenRules(damaged)).toContain('BR-CO-17');
  });
});

test('lines keep their numbers, and those that show credits cost nothing', () => {
  const root = all(xmlTree(written(sampleInvoice())), 'Invoice')[0] ?? {};
  expect(texts(root, 'cac:InvoiceLine/cbc:ID')).toEqual(['1', '2', '3', '4', '5']);
  const nets = texts(root, 'cac:InvoiceLine/cbc:LineExtensionAmount');
  expect(nets).toEqual(['0.00', '0.00', '0.00', '617.75', '49.00']);
  expect(texts(root, 'cac:InvoiceLine/cbc:Note')).toEqual(['12 calls', '1 call']);
  expect(texts(root, 'cac:InvoiceLine/cac:Price/cbc:BaseQuantity')).toEqual(['1000']);
});

test('a credit note names number and date of its invoice, and its amounts are positive', () => {
  const root = all(xmlTree(written(sampleCreditNote())), 'CreditNote')[0] ?? {};
  const reference = 'cac:BillingReference/cac:InvoiceDocumentReference';
  expect(text(root, `${reference}/cbc:ID`)).toBe('INV-000001');
  expect(text(root, `${reference}/cbc:IssueDate`)).toBe('2026-11-01');
  expect(text(root, 'cac:LegalMonetaryTotal/cbc:PayableAmount')).toBe('207.06');
  expect(texts(root, 'cac:CreditNoteLine/cbc:LineExtensionAmount')).toEqual(['125.00', '49.00']);
});

test('names with signs of XML and characters that it cannot hold are readable', () => {
  const name = 'A & B <C> "D" \u0001\ud800 株式会社';
  const xml = written(sampleInvoice({ buyer: { ...BUYER, name } }));
  expect(brokenRules(xml)).toEqual([]);
  expect(xml).toContain('A &amp; B &lt;C&gt; &quot;D&quot; \ufffd\ufffd 株式会社');
});

test('without a bank account no means of payment is named', () => {
  const { iban: _, ...seller } = SELLER;
  const xml = written(sampleInvoice({ seller }));
  expect(xml).not.toContain('PaymentMeans');
  expect(brokenRules(xml)).toEqual([]);
});

test.each([
  ['the seller', { seller: {} }, ['/name', '/address/country', '/vat_id']],
  ['the buyer', { buyer: { name: 'Acme' } }, ['/address/line1', '/address/country']],
  ['a currency of two decimals', { currency: 'KWD' }, ['/currency']],
])('without %s there is no XML, and `missing` lists it', (_what, changes, pointers) => {
  const result = eInvoiceOf(sampleInvoice(changes));
  const missing = result.outcome === 'missing' ? result.missing : [];
  expect(missing.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(pointers));
});

test.each([sampleInvoice(), sampleInvoice({}, 'O'), sampleCreditNote()])(
  'no element is empty',
  (document) => {
    expect(written(document)).not.toMatch(/<([\w:]+)[^>]*>\s*<\/\1>|\/>/);
  },
);

test('the same invoice gives the same XML', () => {
  expect(written(sampleInvoice())).toBe(written(sampleInvoice()));
});

import fc from 'fast-check';
import type { CreditNote, Invoice, TaxCategory } from '#invoice-rules/invoice.js';
import { anyDocument } from '../random-documents.suite.js';
import {
  BUYER,
  manyLines,
  sampleCreditNote,
  sampleInvoice,
  SELLER,
  TAXES,
} from '../sample-documents.suite.js';
import { brokenRulesOf } from '../ubl/en16931.suite.js';
import { ublDocument } from '../ubl/ubl-document.js';
import { eInvoiceOf, type EInvoice } from '../xml/e-invoice.js';
import { xmlTree } from '../xml/xml-tree.suite.js';
import { ciiDocument } from './cii-document.js';
import { elementsOutOfOrder } from './cii-order.suite.js';
import { bare, ublOfCii } from './cii-tree.suite.js';

function contentOf(document: Invoice | CreditNote): EInvoice {
  const result = eInvoiceOf(document);
  if (result.outcome !== 'complete') throw new Error(JSON.stringify(result.missing));
  return result.eInvoice;
}

function written(document: Invoice | CreditNote): string {
  return ciiDocument(contentOf(document));
}

function expectSound(document: Invoice | CreditNote): void {
  const content = contentOf(document);
  const cii = ciiDocument(content);
  expect(brokenRulesOf(ublOfCii(cii))).toEqual([]);
  expect(elementsOutOfOrder(cii)).toEqual([]);
  expect(bare(ublOfCii(cii))).toEqual(bare(xmlTree(ublDocument(content))));
}

const CATEGORIES = Object.keys(TAXES) as TaxCategory[];

describe('the CII keeps the rules of EN 16931 and says what the UBL says', () => {
  test.each(CATEGORIES)('for an invoice of tax category %s', (category) => {
    expectSound(sampleInvoice({}, category));
  });

  test.each(CATEGORIES)('for a credit note of tax category %s', (category) => {
    expectSound(sampleCreditNote(category));
  });

  test('for two thousand lines, and a currency without decimals', () => {
    expectSound(sampleInvoice({ lines: manyLines(2000), currency: 'JPY' }));
  });

  test('without a bank account', () => {
    const { iban: _, ...seller } = SELLER;
    expectSound(sampleInvoice({ seller }));
    expect(written(sampleInvoice({ seller }))).not.toContain('PaymentMeans');
  });

  test('for any invoice and credit note', () => {
    fc.assert(fc.property(anyDocument(), expectSound), { numRuns: 200 });
  });
});

describe('the check of the CII finds', () => {
  test.each([
    ['another guideline', 'urn:cen.eu:en16931:2017', 'urn:example', 'BR-01'],
    ['a date that is none', '20261101', '2026111', 'BR-03'],
    [
      'a total that is not the sum',
      '<ram:GrandTotalAmount>793.43',
      '<ram:GrandTotalAmount>793.44',
      'BR-CO-15',
    ],
    ['a tax that is not the rate of its base', /126\.68/g, '126.69', 'BR-CO-17'],
    ['a line without its quantity', /<ram:BilledQuantity.*/, '', 'BR-22'],
    [
      'a seller without VAT identifier',
      /<ram:SpecifiedTaxRegistration>[^]*?<\/ram:SpecifiedTaxRegistration>/,
      '',
      'BR-S-02',
    ],
  ])('%s', (_what, from, to, rule) => {
    const sound = written(sampleInvoice());
    const damaged = sound.replace(from, to);
    expect(damaged).not.toBe(sound);
    expect(brokenRulesOf(ublOfCii(damaged))).toContain(rule);
  });

  test('an amount of tax without its currency', () => {
    const damaged = written(sampleInvoice()).replace(' currencyID="EUR"', '');
    const ubl = ublDocument(contentOf(sampleInvoice()));
    expect(bare(ublOfCii(damaged))).not.toEqual(bare(xmlTree(ubl)));
  });

  test('an element where the schema does not have it', () => {
    const sound = written(sampleInvoice());
    const swapped = sound
      .replace(/(<ram:TypeCode>380.*\n)/, '')
      .replace(
        '</rsm:ExchangedDocument>',
        '<ram:TypeCode>380</ram:TypeCode>\n</rsm:ExchangedDocument>',
      );
    expect(elementsOutOfOrder(swapped)).toEqual(['rsm:ExchangedDocument: ram:TypeCode']);
    expect(elementsOutOfOrder(sound.replaceAll('ram:CityName', 'ram:Town'))).toEqual([
      'ram:PostalTradeAddress: ram:Town',
      'ram:PostalTradeAddress: ram:Town',
    ]);
  });
});

test('names with signs of XML and characters that it cannot hold are readable', () => {
  const name = 'A & B <C> "D" \u0001\ud800 株式会社';
  const document = sampleInvoice({ buyer: { ...BUYER, name } });
  expectSound(document);
  expect(written(document)).toContain('A &amp; B &lt;C&gt; &quot;D&quot; \ufffd\ufffd 株式会社');
});

test.each([sampleInvoice(), sampleInvoice({}, 'O'), sampleCreditNote()])(
  'no element is empty but the one that the schema asks for',
  (document) => {
    const empty = written(document).match(/<([\w:]+)[^>]*>\s*<\/\1>|<[^>]*\/>/g);
    expect(empty).toEqual([
      '<ram:ApplicableHeaderTradeDelivery>\n\n</ram:ApplicableHeaderTradeDelivery>',
    ]);
  },
);

import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import type { Language, TaxCategory } from '#invoice-rules/invoice.js';
import { signPng } from './images/sample-images.suite.js';
import { readPdf } from './pdf/pdf-reader.suite.js';
import { renderDocuments } from './render-documents.js';
import {
  BUYER,
  inputOf,
  manyLines,
  sampleCreditNote,
  sampleInvoice,
  SELLER,
  TAXES,
} from './sample-documents.suite.js';

/** The text of a document's pages, with any white space as one space. */
function textOf(document: Parameters<typeof inputOf>[0]): string {
  const { pages } = readPdf(renderDocuments(inputOf(document)).pdf);
  return pages.join(' ').replace(/\s+/g, ' ');
}

test('the same input gives the same bytes in every format, whatever was rendered between', () => {
  const first = renderDocuments(inputOf(sampleInvoice()));
  renderDocuments(inputOf(sampleInvoice({ buyer: { ...BUYER, name: '株式会社 Ωmega' } })));
  const again = renderDocuments(inputOf(sampleInvoice()));
  for (const format of ['json', 'csv', 'pdf', 'xml', 'cii'] as const) {
    expect(Buffer.from(again[format] ?? []).equals(Buffer.from(first[format] ?? []))).toBe(true);
    expect(first[format]?.length).toBeGreaterThan(100);
  }
});

test('JSON is the document in its own order of members and ends with its line', () => {
  const text = Buffer.from(renderDocuments(inputOf(sampleInvoice())).json).toString();
  expect(JSON.parse(text)).toEqual(sampleInvoice());
  expect(text).toMatch(/^\{\n {2}"number": "INV-000001",\n {2}"type": "invoice",[^]*\n\}\n$/);
});

test('CSV has decimal and minor amounts of every line and of the tax', () => {
  const bytes = renderDocuments(inputOf(sampleInvoice())).csv;
  const rows: Record<string, string>[] = parse(Buffer.from(bytes), { columns: true });
  expect(
    rows.map(({ line_type, amount, amount_minor }) => [line_type, amount, amount_minor]),
  ).toEqual([
    ['usage', '0.00', '0'],
    ['usage', '0.00', '0'],
    ['covered', '0.00', '0'],
    ['overage', '617.75', '61775'],
    ['fee', '49.00', '4900'],
    ['tax', '126.68', '12668'],
  ]);
});

test('CSV keeps negative amounts as numbers and defuses names that are formulas', () => {
  const note = { ...sampleCreditNote(), buyer: { ...BUYER, name: '=SUM(A1), "B"' } };
  const text = Buffer.from(renderDocuments(inputOf(note)).csv).toString();
  expect(text).toContain(',-125.00,-12500,,\r\n');
  expect(text).toContain(`"'=SUM(A1), ""B"""`);
});

describe('the PDF', () => {
  test('says all that an invoice has to', () => {
    const text = textOf(sampleInvoice());
    const wanted = [
      'Invoice number INV-000001',
      'Date of issue 1 November 2026',
      'Date due 15 November 2026',
      '1 October 2026 to 31 October 2026',
      'Popindex GmbH Torstraße 1 10119 Berlin Germany',
      'VAT DE123456788',
      'Müller & Søn Kosmetik A/S Strøget 12 3. sal 1160 København Denmark',
      'Customer number 01930000-0000-7000-8000-00000000000b',
      'Purchase order PO-7781',
      'EUR 793.43 due 15 November 2026',
      'Top 5, first calls 12 420',
      'All beauty trends, first calls 1 50,000',
      'Included credits -1,000',
      'Usage not covered by credits 49,420 12.50 617.75',
      'Monthly fee 49.00',
      'Net 666.75 VAT 19 % on 666.75 126.68 Amount due EUR 793.43',
      'Credits used by week',
      '30,180 13–19 Oct',
      'IBAN DE89 3704 0044 0532 0130 00, stating INV-000001.',
      `events 1 to 2,210 of its log, head ${'5f'.repeat(32)}`,
      'Page 1 of 1',
    ];
    expect(wanted.filter((part) => !text.includes(part))).toEqual([]);
  });

  test('prints the parts of an address that its country has', () => {
    const HK = { line1: '1 Road', country: 'HK' };
    const US = { line1: '1 Road', city: 'Austin', postcode: '78701', region: 'TX', country: 'US' };
    const parties = { seller: { ...SELLER, address: HK }, buyer: { ...BUYER, address: US } };
    const text = textOf(sampleInvoice(parties));
    expect(text).toContain('Popindex GmbH 1 Road Hong Kong');
    expect(text).toContain('1 Road Austin, TX 78701 United States');
  });

  test('of a credit note names the invoice, the reason and what is credited', () => {
    const text = textOf(sampleCreditNote());
    const wanted = [
      'Credit note number CN-000001',
      'Corrects invoice INV-000001 of 1 November 2026',
      'Reason Calls made by mistake',
      'EUR 207.06 credited',
      'call 01930000-0000-7000-8000-00000000000d 4 -125.00',
      'Total credited EUR -207.06',
    ];
    expect(wanted.filter((part) => !text.includes(part))).toEqual([]);
    expect(text).not.toContain('Please pay');
  });

  test.each(Object.keys(TAXES) as TaxCategory[])('gives the tax of category %s', (category) => {
    const { rate_percent, reason } = TAXES[category];
    const text = textOf(sampleInvoice({}, category));
    expect(text).toContain(`VAT ${rate_percent} % on 666.75`);
    expect(text).toContain(reason ?? 'Amount due');
  });

  test.each([sampleInvoice(), sampleCreditNote()])(
    'holds the very CII, and declares it to readers of Factur-X',
    (document) => {
      const { pdf, cii } = renderDocuments(inputOf(document));
      const { attachments, metadata } = readPdf(pdf);
      expect(attachments.map(({ name }) => name)).toEqual(['factur-x.xml']);
      expect(Buffer.from(attachments[0]?.base64 ?? '', 'base64').equals(cii ?? Buffer.of())).toBe(
        true,
      );
      const stated = ['DocumentType', 'DocumentFileName', 'Version', 'ConformanceLevel'].map(
        (name) => new RegExp(`<fx:${name}>([^<]*)<`).exec(metadata)?.[1],
      );
      expect(stated).toEqual(['INVOICE', 'factur-x.xml', '1.0', 'EN 16931']);
      expect(metadata).toContain('<pdfaid:part>3<');
      expect(Buffer.from(pdf).toString('latin1')).toMatch(/AFRelationship \/Alternative/);
    },
  );

  test('holds no XML where there is none', () => {
    const { pdf, xml, cii, missing } = renderDocuments(
      inputOf(sampleInvoice({ seller: {}, buyer: { name: 'Acme' } })),
    );
    expect([xml, cii]).toEqual([null, null]);
    expect(missing.length).toBeGreaterThan(0);
    const { attachments, metadata, pages } = readPdf(pdf);
    expect(attachments).toEqual([]);
    expect(metadata).not.toContain('fx:');
    expect(pages[0]).toContain('Acme');
  });

  test.each([
    ['one line', 1, 1],
    ['60 lines', 60, 3],
    ['2,000 lines', 2000, 64],
  ])('of %s shows each of them once, under the names of the columns', (_name, count, pages) => {
    const lines = count === 1 ? sampleInvoice().lines.slice(-1) : manyLines(count);
    const read = readPdf(renderDocuments(inputOf(sampleInvoice({ lines }))).pdf);
    expect(read.pages).toHaveLength(pages);
    const rules = Array.from(read.pages.join('\n').matchAll(/Rule (\d+),/g), ([, n]) => Number(n));
    expect(rules).toEqual(lines.flatMap(({ n, type }) => (type === 'usage' ? [n] : [])));
    read.pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages}`);
      expect(page.match(/Description/g) ?? []).toHaveLength(
        /Rule|Monthly|Usage not/.test(page) ? 1 : 0,
      );
    });
  });

  test('breaks long names and keeps every character of them', () => {
    const name = `${'Gesellschaft für Beobachtung '.repeat(8)}${'X'.repeat(150)} mbH`;
    const buyer = { ...BUYER, name };
    const seller = { ...SELLER, name };
    const text = textOf(sampleInvoice({ buyer, seller })).replaceAll(' ', '');
    expect(text.split(name.replaceAll(' ', '')).length - 1).toBeGreaterThanOrEqual(1);
    expect((text.match(/X/g) ?? []).length).toBeGreaterThanOrEqual(3 * 150);
  });

  test.each([
    'Ελληνική Εταιρεία',
    'Общество Їжак',
    'Nguyễn Thị Ánh',
    '株式会社サンプル',
    '上海示例有限公司',
    '주식회사 견본',
    'חברת הדוגמה',
    'شركة المثال',
  ])('lets %s be copied', (name) => {
    const text = textOf(sampleInvoice({ buyer: { ...BUYER, name } }));
    expect(text.normalize('NFKC')).toContain(name);
    expect(text).not.toContain('\ufffd');
  });

  test('says so where it cannot show a character', () => {
    const text = textOf(sampleInvoice({ buyer: { ...BUYER, name: 'Crown 👑' } }));
    expect(text).toContain('Crown \ufffd');
    expect(text).toContain('\ufffd stands for a character that this page cannot show');
    expect(textOf(sampleInvoice())).not.toContain('stands for a character');
  });

  test('asks for nothing where nothing is due, and draws no chart without usage', () => {
    const lines = sampleInvoice().lines.slice(0, 3);
    const { pdf } = renderDocuments({ document: sampleInvoice({ lines }), usageByWeek: [] });
    const text = readPdf(pdf).pages.join(' ');
    expect(text).toContain('Nothing to pay');
    expect(text).not.toContain('Please pay');
    expect(text).not.toContain('by week');
  });

  test('of a test account says in words that it bills nobody', () => {
    const text = textOf(sampleInvoice({ number: 'TEST-INV-000001' }));
    expect(text).toContain('Test invoice');
    expect(text).toContain('This is a test invoice: nothing is to be paid.');
    expect(text).not.toContain('Please pay');
  });

  test.each<[Language, string[]]>([
    [
      'de',
      [
        'Rechnungsnummer INV-000001',
        'Rechnungsdatum 1. November 2026',
        'Leistungszeitraum 1. Oktober 2026 bis 31. Oktober 2026',
        '10119 Berlin Deutschland',
        'USt-IdNr. DE123456788',
        '793,43 EUR zu zahlen bis 15. November 2026',
        'Netto 666,75 USt. 19 % auf 666,75 126,68 Zu zahlen 793,43 EUR',
        '30.180 13.–19. Okt.',
        'auf das Konto IBAN DE89 3704 0044 0532 0130 00 mit dem Verwendungszweck INV-000001.',
        'Seite 1 von 1',
      ],
    ],
    [
      'fr',
      [
        'Numéro de facture INV-000001',
        'Date d’émission 1er novembre 2026',
        'Période du 1er octobre 2026 au 31 octobre 2026',
        '10119 Berlin Allemagne',
        'TVA DE123456788',
        '793,43 EUR à payer au plus tard le 15 novembre 2026',
        'Total HT 666,75 TVA 19 % sur 666,75 126,68 Net à payer 793,43 EUR',
        '30 180 13–19 oct.',
        'sur le compte IBAN DE89 3704 0044 0532 0130 00, avec la référence INV-000001.',
        'Page 1 sur 1',
      ],
    ],
  ])('in %s says all that an invoice has to', (language, wanted) => {
    const buyer = { ...BUYER, language };
    const { pdf } = renderDocuments(inputOf(sampleInvoice({ buyer })));
    const text = readPdf(pdf).pages.join(' ').replace(/\s+/g, ' ');
    expect(wanted.filter((part) => !text.includes(part))).toEqual([]);
    expect(Buffer.from(pdf).toString('latin1')).toContain(`/Lang (${language})`);
    const note = textOf({ ...sampleCreditNote(), buyer });
    expect(note).not.toMatch(/Credit note|Total credited|To be set off/);
  });

  test('has the colour, the logo and the text about payments of its seller', () => {
    const logo = signPng();
    const sha256 = createHash('sha256').update(logo).digest('hex');
    const seller = { ...SELLER, color: '#0a7d4f', remittance: 'Ask Eve.', logo_sha256: sha256 };
    const { pdf } = renderDocuments({ ...inputOf(sampleInvoice({ seller })), logo });
    expect(readPdf(pdf).pages[0]).toContain('Ask Eve.');
    const plain = Buffer.from(pdf).toString('latin1');
    expect(plain).toMatch(/Subtype \/Image[^]*?\/Width 240[^]*?\/Height 80/);
    expect(plain).not.toContain('/SMask');
  });

  test('of a few lines has at most 40 kB', () => {
    expect(renderDocuments(inputOf(sampleInvoice())).pdf.length).toBeLessThan(40_000);
  });
});

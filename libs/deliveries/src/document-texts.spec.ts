import { placeholdersOf } from '#invoice-rules/fill-text.js';
import { LANGUAGES, type Language } from '#invoice-rules/invoice.js';
import { documentWords, type DocumentFacts } from './document-texts.js';
import TEXTS from './document-texts.json' with { type: 'json' };
import { letter } from './letter.js';

const INVOICE: DocumentFacts = {
  number: 'INV-000001',
  issueDate: '2026-12-01',
  seller: 'Index <GmbH> & Co',
  currency: 'EUR',
  total: 123_456_78,
  due: 123_456_78,
  dueDate: '2026-12-15',
  iban: 'AT611904300234573201',
  invoiceNumber: null,
};
const CREDIT_NOTE: DocumentFacts = {
  ...INVOICE,
  number: 'CN-000001',
  total: -119,
  due: null,
  dueDate: null,
  invoiceNumber: 'INV-000001',
};

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test.each<[Language, string, string, string]>([
  ['en', 'Invoice INV-000001 from', '€123,456.78 by 15 December 2026', 'Credit note CN-000001'],
  ['de', 'Rechnung INV-000001 von', '123.456,78 € bis zum 15. Dezember 2026', 'Rechnungskorrektur'],
  ['fr', 'Facture INV-000001 de', '123 456,78 € au plus tard le 15 décembre 2026', 'Avoir CN'],
])(
  'in %s an invoice says what to pay until when, and a credit note what it corrects',
  (language, subject, pay, note) => {
    const words = documentWords(language, 'invoice', INVOICE);
    expect(words.subject).toContain(subject);
    expect(plain(words.sentences.join(' '))).toContain(pay);
    expect(words.sentences.join(' ')).toContain('AT611904300234573201');
    const credit = documentWords(language, 'creditNote', CREDIT_NOTE);
    expect(credit.subject).toContain(note);
    expect(credit.sentences.join(' ')).toContain('INV-000001');
    expect(credit.facts).toHaveLength(3);
  },
);

test.each([
  [0, 'Nothing is left to pay.'],
  [-100, 'Nothing is left to pay.'],
  [1, 'Please pay €0.01 by 15 December 2026'],
])('an invoice of which %i is due says so', (due, sentence) => {
  const { sentences } = documentWords('en', 'invoice', { ...INVOICE, due });
  expect(sentences.join(' ')).toContain(sentence);
});

test.each([
  ['JPY', 'JP¥12,345,678'],
  ['USD', 'US$123,456.78'],
])('amounts of %s have its decimals', (currency, text) => {
  const { facts } = documentWords('en', 'invoice', { ...INVOICE, currency });
  expect(plain(String(facts[2]?.[1]))).toBe(text);
});

/** Each text by its place, as the names that are filled into it. */
function placesOf(texts: object, path = ''): [string, string[]][] {
  return Object.entries(texts).flatMap(([name, text]: [string, unknown]) =>
    typeof text === 'object' && text !== null
      ? placesOf(text, `${path}/${name}`)
      : [[`${path}/${name}`, text === '' ? ['is empty'] : placeholdersOf(String(text))]],
  );
}

test.each(LANGUAGES)('in %s every text is there, and names all that it is about', (language) => {
  expect(placesOf(TEXTS[language])).toEqual(placesOf(TEXTS.en));
});

test('a letter is a text and a page with the same words, in its language', () => {
  const words = documentWords('de', 'invoice', INVOICE);
  const { text, html = '', subject } = letter(words, 'de', 'https://portal.example.com/invoices');
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('Index &lt;GmbH&gt; &amp; Co');
  expect(html).toContain('<th scope="row" align="left">Gesamtbetrag</th>');
  expect(html).not.toMatch(/<(?:script|style|img|link)/);
  for (const sentence of words.sentences) expect(text).toContain(sentence);
  expect(text).toContain('https://portal.example.com/invoices\n');
  expect(subject).toBe(words.subject);
});

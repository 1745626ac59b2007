import jsqr from 'jsqr';
import type { Invoice, Seller } from '#invoice-rules/invoice.js';
import { readPdf } from './pdf-reader.suite.js';
import { renderDocuments } from '../render-documents.js';
import {
  BUYER,
  inputOf,
  sampleCreditNote,
  sampleInvoice,
  SELLER,
} from '../sample-documents.suite.js';
import { modulesOperators } from './operators.js';
import { modulesOf, paymentCodeText } from './payment-code.js';
import { TEXTS } from './texts/texts.js';

const SIDE = 400;
const RECTANGLE = /(-?[\d.]+) (-?[\d.]+) ([\d.]+) ([\d.]+) re/g;

/** The text that a camera reads from the page: rectangles are painted, and decoded by others. */
function scanned(text: string): string | undefined {
  const operators = modulesOperators(modulesOf(text), { x: 0, y: 0, side: SIDE, color: '#000000' });
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4).fill(255);
  for (const [, ...numbers] of operators.matchAll(RECTANGLE)) {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
    for (let down = Math.round(y); down < Math.round(y + height); down += 1) {
      const start = 4 * (down * SIDE + Math.round(x));
      for (let at = start; at < start + 4 * Math.round(width); at += 4) pixels.fill(0, at, at + 3);
    }
  }
  return jsqr.default(pixels, SIDE, SIDE)?.data;
}

function codeOf(seller: Partial<Seller>, changes: Partial<Invoice> = {}): string | null {
  return paymentCodeText(sampleInvoice({ seller: { ...SELLER, ...seller }, ...changes }));
}

test.each<[string, Partial<Seller>, string[]]>([
  ['an IBAN', {}, ['', 'Popindex GmbH', 'DE89370400440532013000', 'EUR793.43']],
  [
    'an IBAN in groups and a BIC',
    { iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' },
    ['COBADEFFXXX', 'Popindex GmbH', 'DE89370400440532013000', 'EUR793.43'],
  ],
  [
    'a name of several lines and other scripts',
    { name: 'Müller\n & Søn 株式会社' },
    ['', 'Müller & Søn 株式会社', 'DE89370400440532013000', 'EUR793.43'],
  ],
  [
    'a name of more than 70 characters',
    { name: '株'.repeat(80) },
    ['', '株'.repeat(70), 'DE89370400440532013000', 'EUR793.43'],
  ],
])('a banking app reads a transfer to %s', (_name, seller, transfer) => {
  const wanted = ['BCD', '002', '1', 'SCT', ...transfer, '', '', 'INV-000001'].join('\n');
  expect(codeOf(seller)).toBe(wanted);
  expect(scanned(wanted)).toBe(wanted);
});

test.each<[string, Partial<Seller>, Partial<Invoice>]>([
  ['no IBAN', { iban: undefined } as Partial<Seller>, {}],
  ['another currency', {}, { currency: 'CHF' }],
  ['nothing due', {}, { total: 0 }],
  ['less than nothing due', {}, { total: -1 }],
  ['a credit balance that pays it', {}, { prepaid: 79_343 }],
  ['more due than a transfer holds', {}, { total: 100_000_000_000 }],
  ['a test account', {}, { number: 'TEST-INV-000001' }],
  ['a name of more bytes than a code may have', { name: '𒀀'.repeat(70) }, {}],
])('an invoice with %s has no code', (_name, seller, changes) => {
  expect(codeOf(seller, changes)).toBeNull();
});

test.each(['en', 'de', 'fr'] as const)('the page says in %s what the code is for', (language) => {
  const buyer = { ...BUYER, language };
  const textOf = (document: Parameters<typeof inputOf>[0]) =>
    readPdf(renderDocuments(inputOf(document)).pdf).pages.join(' ');
  const { scan } = TEXTS[language];
  expect(textOf(sampleInvoice({ buyer }))).toContain(scan);
  expect(textOf(sampleInvoice({ buyer, currency: 'CHF' }))).not.toContain(scan);
  expect(textOf({ ...sampleCreditNote(), buyer })).not.toContain(scan);
});

test.each(['en', 'de', 'fr'] as const)(
  'the page says in %s what a credit balance pays',
  (language) => {
    const buyer = { ...BUYER, language };
    const textOf = (changes: Partial<Invoice>) =>
      readPdf(renderDocuments(inputOf(sampleInvoice({ buyer, ...changes }))).pdf).pages.join(' ');
    const { scan, isPaid, nothingToPay, fromBalance } = TEXTS[language];
    const part = textOf({ prepaid: 70_000 });
    expect(part).toContain(fromBalance);
    expect(part).toMatch(/93[.,]43/);
    expect(part).toContain(scan);
    const whole = textOf({ prepaid: 79_343 });
    for (const text of [fromBalance, nothingToPay]) expect(whole).toContain(text);
    expect(whole.replaceAll(/\s+/g, ' ')).toContain(isPaid.replaceAll(/\s+/g, ' '));
    for (const text of [scan, 'DE89', 'IBAN']) expect(whole).not.toContain(text);
    const free = textOf({ total: 0 });
    expect(free).toContain(nothingToPay);
    for (const text of [scan, isPaid, 'DE89']) expect(free).not.toContain(text);
  },
);

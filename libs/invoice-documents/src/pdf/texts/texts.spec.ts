import { placeholdersOf } from '#invoice-rules/fill-text.js';
import { LANGUAGES } from '#invoice-rules/invoice.js';
import { TEXTS, type Texts } from './texts.js';

const NAMES = Object.keys(TEXTS.en) as (keyof Texts)[];
const WRITING = new Set([
  'group',
  'decimal',
  'isCurrencyFirst',
  'months',
  'shortMonths',
  'firstDay',
]);
const WORDS = NAMES.filter((name) => !WRITING.has(name) && name !== 'day');

describe.each(LANGUAGES)('in %s', (language) => {
  const texts = TEXTS[language];

  test('every text is there, and names all that it is about', () => {
    expect(Object.keys(texts).toSorted()).toEqual(NAMES.toSorted());
    for (const name of [...WORDS, 'day'] as const) {
      const text = String(texts[name]);
      expect([name, text.trim().length > 0]).toEqual([name, true]);
      expect([name, placeholdersOf(text)]).toEqual([name, placeholdersOf(String(TEXTS.en[name]))]);
    }
  });

  test('months are those of the language', () => {
    const long = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    const months = Array.from({ length: 12 }, (_, month) => long.format(Date.UTC(2026, month, 5)));
    expect(texts.months).toEqual(months);
    const starts = texts.shortMonths.map((name) => name.replace('.', '').slice(0, 3));
    expect(starts.every((start, month) => months[month]?.startsWith(start))).toBe(true);
    expect(texts.shortMonths).toHaveLength(12);
  });

  test('numbers are written as the language does', () => {
    const parts = new Intl.NumberFormat(language).formatToParts(1234567.5);
    const of = (type: string) => parts.find((part) => part.type === type)?.value;
    expect(texts.decimal).toBe(of('decimal'));
    // The narrow space of French is in few fonts.
    expect(texts.group).toBe(of('group')?.replace('\u202f', '\u00a0'));
  });
});

test('no language is a copy of another', () => {
  const copied = WORDS.filter(
    (name) => typeof TEXTS.en[name] === 'string' && TEXTS.en[name] === TEXTS.de[name],
  );
  expect(copied).toEqual(['credits']);
});

import { LANGUAGES, type InvoiceLine } from './invoice.js';
import { LINE_WORDS, lineIn } from './line-words.js';

const USAGE: InvoiceLine = {
  n: 1,
  type: 'usage',
  rule: 'top 5',
  kind: 'repeat',
  description: 'Top 5, repeat calls',
  calls: 1,
  credits: 10,
  amount: 0,
};
const FEE: InvoiceLine = { n: 2, type: 'fee', description: 'Monthly fee', amount: 4900 };
const ADJUSTED: InvoiceLine = {
  n: 3,
  type: 'adjustment',
  reason: 'Outage',
  call_id: null,
  description: 'Adjustment: Outage',
  credits: -5,
  amount: 0,
};

test.each([
  ['en', 'Top 5, repeat calls', 'Monthly fee', 'Adjustment: Outage'],
  ['de', 'Top 5, wiederholte Abrufe', 'Monatliche Grundgebühr', 'Anpassung: Outage'],
  ['fr', 'Top 5, appels répétés', 'Abonnement mensuel', 'Ajustement\u00a0: Outage'],
] as const)('lines in %s', (language, ...texts) => {
  const lines = [USAGE, FEE, ADJUSTED];
  expect(lines.map((line) => lineIn(line, language).description)).toEqual(texts);
  // A reissue may be in another language than the invoice whose lines it has.
  for (const other of LANGUAGES) {
    expect(lines.map((line) => lineIn(lineIn(line, other), language).description)).toEqual(texts);
  }
});

test('every language has each word once, so that a line is found by it', () => {
  const names = Object.keys(LINE_WORDS.en).toSorted();
  for (const language of LANGUAGES) {
    expect(Object.keys(LINE_WORDS[language]).toSorted()).toEqual(names);
    expect(new Set(Object.values(LINE_WORDS[language])).size).toBe(names.length);
  }
});

test('a text that nobody knows stays as it is', () => {
  const line = { ...FEE, description: 'Fee of an older version' };
  expect(lineIn(line, 'de')).toEqual(line);
});

import { LANGUAGES, type InvoiceLine } from './invoice.js';
import { lineNote } from './line-note.js';

function adjustment(credits: number): InvoiceLine {
  const reason = 'Goodwill';
  const description = `Adjustment: ${reason}`;
  return { n: 1, type: 'adjustment', reason, call_id: null, description, credits, amount: 0 };
}

test.each([
  ['en', 'not used in this month'],
  ['de', 'in diesem Monat nicht genutzt'],
  ['fr', 'non utilisé ce mois-ci'],
] as const)('in %s an adjustment of which the month used nothing is %s', (language, note) => {
  expect(lineNote(adjustment(0), language)).toBe(note);
});

test.each(LANGUAGES)('in %s lines that explain themselves have no note', (language) => {
  const fee: InvoiceLine = { n: 1, type: 'fee', description: 'Monthly fee', amount: 4_900 };
  for (const line of [adjustment(-500), adjustment(700), fee]) {
    expect(lineNote(line, language)).toBeUndefined();
  }
});

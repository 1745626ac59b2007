import type { InvoiceLine } from '#billing/invoice.js';
import { lineNote } from './line-note.js';

function adjustment(credits: number): InvoiceLine {
  const reason = 'Goodwill';
  const description = `Adjustment: ${reason}`;
  return { n: 1, type: 'adjustment', reason, call_id: null, description, credits, amount: 0 };
}

test('an adjustment of which the month used nothing says so', () => {
  expect(lineNote(adjustment(0))).toBe('not used in this month');
});

test.each([-500, 700])('an adjustment of %p credits explains itself', (credits) => {
  expect(lineNote(adjustment(credits))).toBeUndefined();
});

test('a line of another type without credits has no note', () => {
  const line: InvoiceLine = { n: 1, type: 'fee', description: 'Monthly fee', amount: 4_900 };
  expect(lineNote(line)).toBeUndefined();
});

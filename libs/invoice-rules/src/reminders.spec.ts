import fc from 'fast-check';
import { formatDate, parseDate } from '#calendar/civil-date.js';
import type { InvoiceAccount } from './invoice-account.js';
import { reminderDue, reminderLevel } from './reminders.js';

const DUE_DATE = '2026-12-15';
const DUE_DAY = parseDate(DUE_DATE) ?? 0;
const DAYS = [3, 14, 30];

function account(due: number, days = 0, isStopped = false) {
  const invoice = { due_date: DUE_DATE } as InvoiceAccount['invoice'];
  return { invoice, due, reminded: { days, isStopped } };
}

const after = (days: number): string => formatDate(DUE_DAY + days);

test.each<[string, ReturnType<typeof account>, number, number | null]>([
  ['on the due date', account(100), 0, null],
  ['two days later', account(100), 2, null],
  ['on the first day', account(100), 3, 3],
  ['between two days', account(100, 3), 13, null],
  ['on the second day', account(100, 3), 14, 14],
  ['where several days have come meanwhile', account(100), 20, 14],
  ['long after all of them', account(100), 400, 30],
  ['after the last one', account(100, 30), 400, null],
  ['of an invoice that is paid', account(0), 30, null],
  ['of one that was overpaid', account(-5), 30, null],
  ['of one whose reminders are stopped', account(100, 3, true), 30, null],
])('the reminder %s is as expected', (_when, of, days, expected) => {
  expect(reminderDue(of, DAYS, after(days))).toBe(expected);
});

test('without days nobody is reminded', () => {
  expect(reminderDue(account(100), [], after(400))).toBeNull();
});

test('whenever it is looked at, each day is reminded of once at most, in order, and the last for sure', () => {
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
  const looks = fc.array(fc.integer({ min: -5, max: 70 }), { maxLength: 40 });
  fc.assert(
    fc.property(days, looks, (set, at) => {
      const sent: number[] = [];
      for (const day of [...at.toSorted((one, other) => one - other), 70]) {
        for (let again = 0; again < 2; again += 1) {
          const due = reminderDue(account(100, Math.max(0, ...sent)), set, after(day));
          if (due === null) continue;
          expect(again).toBe(0);
          expect(due).toBeLessThanOrEqual(day);
          sent.push(due);
        }
      }
      expect(sent).toEqual([...new Set(sent)].toSorted((one, other) => one - other));
      expect(sent.every((one) => set.includes(one))).toBe(true);
      expect(sent.at(-1)).toBe(Math.max(...set));
    }),
  );
});

it.each([
  ['the first that is sent is a first one', 3, [3], 'first'],
  ['so it is where earlier ones were missed', 30, [30], 'first'],
  ['one between is a second one', 14, [3, 14], 'second'],
  ['the one of the last day is the last', 30, [3, 14, 30], 'last'],
  ['it is so of two', 30, [3, 30], 'last'],
  ['and where the seller has fewer days by now', 40, [3, 40], 'last'],
])('of reminders %s', (_rule, after, sent, level) => {
  expect(reminderLevel(after, sent, [3, 14, 30])).toBe(level);
});

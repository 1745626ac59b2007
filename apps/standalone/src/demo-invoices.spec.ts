import { Calendar } from '#calendar/calendar.js';
import type { Foundations } from '#service/foundations.js';
import type { Payments } from '#invoicing/payments.js';
import { DEMO_ACCOUNT_ID } from './demo-account.js';
import { payDemoInvoices } from './demo-invoices.js';

interface Issued {
  readonly number: string;
  readonly due_date: string;
  readonly state: { readonly due: number };
}

const ENDED_AT = Date.parse('2026-11-22T12:00:00Z');

/** Payments of issued invoices, in order. */
async function paid(issued: readonly Issued[]): Promise<readonly string[]> {
  const acts: string[] = [];
  const foundations = {
    calendar: new Calendar('Europe/Vienna'),
    invoices: { invoices: async () => ({ items: issued, next_cursor: null }) },
  } as unknown as Foundations;
  const settle = async (accountId: string) => {
    expect(accountId).toBe(DEMO_ACCOUNT_ID);
    return { issued: 0, skipped: 0, failed: 0, failures: [] };
  };
  const pay: Payments['pay'] = async (number, { idempotencyKey, by }, payment) => {
    expect([by, idempotencyKey]).toEqual(['system', `demo payment ${number}`]);
    acts.push(`${number}: ${payment.amount} on ${payment.date}, ${payment.reference}`);
    return undefined as never;
  };
  await payDemoInvoices(foundations, ENDED_AT, { invoiceAccount: settle }, { pay });
  return acts;
}

const invoice = (due_date: string, due = 36_000): Issued => ({
  number: 'INV-1',
  due_date,
  state: { due },
});

test.each([
  ['overdue for long', invoice('2026-10-01'), ['INV-1: 36000 on 2026-10-05, Transfer INV-1']],
  [
    'overdue at the turn of a year',
    invoice('2025-12-30'),
    ['INV-1: 36000 on 2026-01-03, Transfer INV-1'],
  ],
  [
    'overdue since yesterday',
    invoice('2026-11-21'),
    ['INV-1: 36000 on 2026-11-22, Transfer INV-1'],
  ],
  ['due today', invoice('2026-11-22'), []],
  ['due later', invoice('2026-12-01'), []],
  ['paid already', invoice('2026-10-01', 0), []],
])('what is %s is paid after its due date, never in the future, or left', async (_, one, acts) => {
  expect(await paid([one])).toEqual(acts);
});

test('each invoice that is overdue is paid by itself, the newest stays open', async () => {
  const issued = ['2026-10-01', '2026-10-31', '2026-12-01'].map((due, index) => ({
    ...invoice(due),
    number: `INV-${index + 1}`,
  }));
  expect(await paid(issued)).toEqual([
    'INV-1: 36000 on 2026-10-05, Transfer INV-1',
    'INV-2: 36000 on 2026-11-04, Transfer INV-2',
  ]);
});

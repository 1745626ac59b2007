import { eventWords } from './event-words.js';

const TERMS = { currency: 'EUR', zone: 'UTC' };

describe('an event in words', () => {
  it.each([
    [
      'CreditsGranted',
      { credits: 400_000, kind: 'purchased', price: 48_000, expires_at: null },
      'Credits granted: 400,000 credits purchased for €480.00',
    ],
    ['Adjusted', { credits: -1, reason: 'Entered twice.' }, 'Adjusted: −1 credit: Entered twice.'],
    [
      'AccountChanged',
      { overdraft: null, plan: null },
      'Terms changed: overdraft, plan from the next month on',
    ],
    [
      'BudgetSet',
      { limit: 5, period: 'month', action: 'block' },
      'Budget set: 5 credits a month, then refuse',
    ],
    [
      'InvoiceNumbered',
      { number: 'INV-000001', total: 793, currency: 'USD' },
      'Invoice issued: INV-000001, US$7.93',
    ],
    [
      'PaymentRecorded',
      { amount: 36_000, currency: 'USD', date: '2026-10-05', reference: 'Transfer INV-000001' },
      'Payment recorded: US$360.00 paid on 2026-10-05, Transfer INV-000001',
    ],
    [
      'PaymentRecorded',
      { amount: 100, currency: 'EUR', date: '2026-10-05', reference: null },
      'Payment recorded: €1.00 paid on 2026-10-05',
    ],
    [
      'InvoiceOverdue',
      { due: 36_000, currency: 'USD', due_date: '2026-10-01' },
      'Invoice overdue: US$360.00 due since 2026-10-01',
    ],
    [
      'ReminderDue',
      { number: 'INV-000001', days: 3, due: 36_000, currency: 'USD', due_date: '2026-10-01' },
      'Reminder of an invoice: INV-000001, US$360.00 due for 3 days',
    ],
  ])('%s', (type, data, expected) => {
    const { title, details } = eventWords(type, data, TERMS);
    expect(`${title}: ${details}`).toBe(expected);
  });

  it('is named by its type where it has no words of its own', () => {
    expect(eventWords('SomethingNewHappened', {}, TERMS)).toEqual({
      title: 'Something new happened',
      details: '',
      tone: 'plain',
    });
  });
});

import { alertMail } from './alert-mail.js';

const scene = {
  account: 'Nails & Co',
  at: Date.UTC(2026, 10, 24, 9),
  portalUrl: 'https://portal.example.com',
};
const alert = { budget_id: 'b-1', period: '2026-11', limit: 50_000, spent: 40_010 };

test('a threshold that was crossed is described in a few lines', () => {
  const data = { ...alert, threshold: 80, call_id: null };
  expect(alertMail('BudgetThresholdCrossed', data, scene)).toEqual({
    subject: 'Nails & Co: 80 % of a budget is spent',
    text: [
      'Nails & Co has spent 40,010 of the 50,000 credits of a budget in 2026-11.',
      'It has an alert at 80 %.',
      '',
      'Budget: b-1',
      'Moment: 2026-11-24T09:00:00.000Z',
      'More:   https://portal.example.com',
      '',
      'You get this because the budget names your address.',
      '',
    ].join('\n'),
  });
});

test('a budget that refuses says what was refused', () => {
  const data = { ...alert, required_credits: 10_000 };
  const mail = alertMail('BudgetBlocked', data, scene);
  expect(mail.subject).toBe('Nails & Co: a budget refuses calls');
  expect(mail.text).toContain('A call of 10,000 credits would have exceeded it and was refused');
});

test('a budget that will not last says until when', () => {
  const data = { ...alert, exhausted_at: '2026-11-27T00:00:00Z', call_id: null };
  const mail = alertMail('BudgetForecastExceeded', data, scene);
  expect(mail.subject).toBe('Nails & Co: a budget will not last');
  expect(mail.text).toContain('nothing is left of it at 2026-11-27T00:00:00Z');
});

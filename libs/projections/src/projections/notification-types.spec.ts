import {
  NOTIFICATION_TYPES,
  notificationData,
  notificationType,
  NOTIFIED_EVENTS,
} from './notification-types.js';

const budget = { budget_id: 'b', period: '2026-11', limit: 100, spent: 80 };
const alert = { budget_id: 'b', period: '2026-11', limit_credits: 100, spent_credits: 80 };
/** Members of every event of an operator, which no notification holds. */
const origin = { by: 'owner', request: 'r', input: 'i', reason: 'Ada asked.' };
const profile = { id: 'p', sha256: 's' };

const issued = { month: '2026-11', currency: 'EUR', total: 119 };
const numbered = { ...issued, id: 'n', account_id: 'a', lane: 3, ordinal: 7, documents: {} };
const corrected = { invoice_id: 'i', invoice_number: 'INV-000001' };
const lateSince = { due_date: '2026-12-15', currency: 'EUR' };
const paid = { amount: 90, currency: 'EUR', date: '2026-12-10' };
const ofInvoice = { applied: [{ invoice_id: 'n', amount: 90 }] };

const RULES: readonly (readonly [event: string, data: object, type: string, data: object])[] = [
  [
    'BudgetThresholdCrossed',
    { ...budget, threshold: 80, call_id: 'c' },
    'budget.threshold_crossed',
    { ...alert, threshold: 80, call_id: 'c' },
  ],
  [
    'BudgetBlocked',
    { ...budget, required_credits: 50 },
    'budget.blocked',
    { ...alert, required_credits: 50 },
  ],
  [
    'BudgetForecastExceeded',
    { ...budget, exhausted_at: '2026-11-27T00:00:00Z', call_id: null },
    'budget.forecast_exceeded',
    { ...alert, exhausted_at: '2026-11-27T00:00:00Z', call_id: null },
  ],
  [
    'BalanceLow',
    { low_balance: 100, balance: 7, call_id: null },
    'balance.low',
    { low_balance_credits: 100, balance: 7, call_id: null },
  ],
  [
    'GrantExpired',
    { grant: 1, grant_id: 'g', credits: 5, balance: 7 },
    'grant.expired',
    { grant_id: 'g', credits: 5, balance: 7 },
  ],
  [
    'HoldExpired',
    { hold: 'h', credits: 5, held: 7 },
    'hold.expired',
    { hold_id: 'h', credits: 5, held_credits: 7 },
  ],
  [
    'ApiKeyIssued',
    { ...origin, api_key: 1, key_id: 'k', hash: 'h', scopes: ['data'], expires_at: null, profile },
    'api_key.issued',
    { api_key_id: 'k', scopes: ['data'], expires_at: null },
  ],
  ['ApiKeyRevoked', { ...origin, api_key: 1, key_id: 'k' }, 'api_key.revoked', { api_key_id: 'k' }],
  ['AccountClosed', origin, 'account.closed', {}],
  [
    'WindowClosed',
    { window: '2026w47', calls: 3, base_calls: 1, credits: 55 },
    'window.closed',
    { window: '2026w47', calls: 3, base_calls: 1, credits_used: 55 },
  ],
  [
    'InvoiceNumbered',
    { ...origin, ...numbered, series: 'INV', number: 'INV-000007', due_date: '2026-12-15' },
    'invoice.issued',
    { invoice_id: 'n', number: 'INV-000007', ...issued, due_date: '2026-12-15' },
  ],
  [
    'CreditNoteNumbered',
    { ...origin, ...numbered, series: 'CN', number: 'CN-000007', ...corrected },
    'credit_note.issued',
    { credit_note_id: 'n', number: 'CN-000007', ...issued, total: -119, ...corrected },
  ],
  [
    'InvoiceOverdue',
    { ...origin, invoice_id: 'n', due_date: '2026-12-15', due: 90, currency: 'EUR' },
    'invoice.overdue',
    { invoice_id: 'n', due_date: '2026-12-15', due: 90, currency: 'EUR' },
  ],
  [
    'ReminderDue',
    { ...origin, invoice_id: 'n', number: 'INV-000007', days: 3, due: 90, ...lateSince },
    'invoice.reminder',
    { invoice_id: 'n', number: 'INV-000007', days: 3, due: 90, ...lateSince },
  ],
  [
    'PaymentRecorded',
    { ...origin, payment_id: 'p', invoice_id: 'n', ...paid, reference: 'From Ada' },
    'payment.recorded',
    { payment_id: 'p', invoice_id: 'n', ...paid, ...ofInvoice, credit_balance_change: 0 },
  ],
  [
    'RefundRecorded',
    { ...origin, refund_id: 'r', ...paid, reference: 'To Ada', applied: [] },
    'refund.recorded',
    { refund_id: 'r', ...paid, applied: [], credit_balance_change: -90 },
  ],
  [
    'WriteOffRecorded',
    { ...origin, write_off_id: 'w', invoice_id: 'n', ...paid },
    'write_off.recorded',
    { write_off_id: 'w', invoice_id: 'n', ...paid },
  ],
  [
    'CreditBalanceApplied',
    { invoice_id: 'n', ...paid },
    'credit_balance.applied',
    { invoice_id: 'n', ...paid },
  ],
  [
    'DisputeOpened',
    { ...origin, dispute_id: 'd', call_ids: ['c'], credits: 10 },
    'dispute.opened',
    { dispute_id: 'd', call_ids: ['c'], credits: 10 },
  ],
  [
    'TopUpOrdered',
    { ...origin, order_id: 'o', package: 'S', credits: 10, price: 90, currency: 'EUR' },
    'top_up.ordered',
    { order_id: 'o', package: 'S', credits: 10, price: 90, currency: 'EUR' },
  ],
  ['TopUpDeclined', { ...origin, order_id: 'o' }, 'top_up.declined', { order_id: 'o' }],
  ['TopUpCancelled', { ...origin, order_id: 'o' }, 'top_up.cancelled', { order_id: 'o' }],
  [
    'DisputeResolved',
    { ...origin, dispute_id: 'd', call_ids: ['c'], outcome: 'accepted', credits: 10 },
    'dispute.resolved',
    { dispute_id: 'd', call_ids: ['c'], outcome: 'accepted', credits: 10 },
  ],
  [
    'ReleasePublished',
    { release: 'r2', window: '2026w48', through: '2026-10-01', sha256: 's', load: 2 },
    'release.ready',
    { release: 'r2', window: '2026w48', through: '2026-10-01' },
  ],
  [
    'ReleaseWithdrawn',
    { ...origin, release: 'r2', window: '2026w48', serving: 'r1' },
    'release.withdrawn',
    { release: 'r2', window: '2026w48', serving: 'r1' },
  ],
  [
    'ReleaseMissing',
    { window: '2026w48', window_starts_at: '2026-11-24T00:00:00Z', serving: 'r1' },
    'release.missing',
    { window: '2026w48', window_starts_at: '2026-11-24T00:00:00Z', serving: 'r1' },
  ],
];

test.each(RULES)('%s is notified, with nothing personal', (event, data, type, expected) => {
  expect(notificationType(event)).toBe(type);
  expect(notificationData({ type: event, data: JSON.stringify(data) })).toEqual(expected);
});

test('there is a rule for every notified event, each with a name of its own', () => {
  expect(RULES.map(([event]) => event).toSorted()).toEqual(NOTIFIED_EVENTS.toSorted());
  const types = RULES.map(([, , type]) => type);
  expect(new Set(types).size).toBe(types.length);
  expect(types.filter((type) => !(NOTIFICATION_TYPES as readonly string[]).includes(type))).toEqual(
    [],
  );
});

test('a call is no notification', () => {
  expect(notificationType('CallMade')).toBeUndefined();
  expect(() => notificationData({ type: 'CallMade', data: '{}' })).toThrow('no notification');
});

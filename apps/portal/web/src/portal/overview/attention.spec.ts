import { concernsOf, type AttentionFacts } from './attention.js';
import type {
  Account,
  ApiKey,
  BudgetDetails,
  Grant,
  InvoiceSummary,
  RefusedCall,
} from '../../rest/answers.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(NOW + days * DAY_MS).toISOString();

const FORECAST: Account['forecast'] = {
  exhausted_at: null,
  balance_exhausted_at: null,
  month_credits: 0,
  next_window_credits: 0,
  confidence: 'low',
};

const calm: Account = {
  id: 'account',
  name: 'Acme',
  status: 'active',
  test: false,
  currency: 'EUR',
  balance: 1_000,
  overdraft_credits: 0,
  available_credits: 1_000,
  grants: [],
  rate_limit: null,
  low_balance_credits: null,
  rate_card: null,
  rate_cards: {},
  receipts: false,
  plan: null,
  plan_next_month: null,
  test_clock: null,
  now: new Date(NOW).toISOString(),
  window: '2026w47',
  window_ends_at: inDays(3),
  window_credits_used: 0,
  budgets: [],
  forecast: FORECAST,
  opened_at: inDays(-90),
  version: 1,
};

const budget: BudgetDetails = {
  id: 'budget',
  period: 'month',
  limit_credits: 1_000,
  thresholds: [50, 100],
  action: 'block',
  api_key_id: null,
  spent_credits: 100,
  left_credits: 900,
  resets_at: inDays(9),
  exhausted_at: null,
  expected_credits: 0,
  running_period: '2026-11',
  crossed_thresholds: [],
  blocked: false,
  notify: null,
};

const grant: Grant = {
  id: 'grant',
  kind: 'promotional',
  credits: 500,
  left: 200,
  priority: 100,
  expires_at: inDays(5),
  granted_at: inDays(-5),
};

const key: ApiKey = {
  id: 'key',
  label: 'Nightly',
  prefix: 'pix_live_',
  last_four: 'abcd',
  scopes: ['data'],
  expires_at: inDays(2),
  issued_at: inDays(-30),
  status: 'active',
  revoked_at: null,
  last_used_at: null,
};

const invoice: InvoiceSummary = {
  number: 'INV-000001',
  type: 'invoice',
  id: 'invoice',
  account_id: 'account',
  test: false,
  month: '2026-10',
  currency: 'EUR',
  issue_date: '2026-11-01',
  due_date: '2026-11-15',
  net: 79_343,
  tax: 0,
  total: 79_343,
  state: { status: 'overdue', paid: 0, credited: 0, due: 79_343 },
};

const refusal: RefusedCall = {
  account_id: 'account',
  at: inDays(-0.5),
  first_at: inDays(-0.5),
  api_key_id: 'key',
  code: 'out-of-credits',
  status: 402,
  path: '/v1/latest/cat1/trends/top5/popindex/us/beauty',
  required_credits: 35,
  times: 2,
};

function titles(known: Partial<AttentionFacts>): string[] {
  const none = { budgets: [], apiKeys: [], invoices: [], refusals: [] };
  const all = { account: calm, ...none, now: NOW, ...known };
  return concernsOf(all).map(({ tone, title }) => `${tone}: ${title}`);
}

test('nothing needs attention where all is well', () => {
  expect(titles({ budgets: [budget] })).toEqual([]);
});

const cases: [string, Partial<AttentionFacts>, string[]][] = [
  [
    'a suspended account',
    { account: { ...calm, status: 'suspended' } },
    ['bad: This account is suspended'],
  ],
  ['no credits', { account: { ...calm, available_credits: 0 } }, ['bad: No credits are left']],
  [
    'calls that cost more than is left',
    { account: { ...calm, available_credits: 5 }, refusals: [refusal] },
    ['bad: 2 calls were refused in the last 24 hours'],
  ],
  [
    'calls that were refused before, or for another reason',
    {
      refusals: [
        { ...refusal, at: inDays(-2) },
        { ...refusal, code: 'rate-limited' },
      ],
    },
    [],
  ],
  ['no limit', { account: { ...calm, available_credits: null, balance: -5 } }, []],
  [
    'credits for five days',
    { account: { ...calm, forecast: { ...FORECAST, exhausted_at: inDays(5) } } },
    ['warn: Credits run out soon'],
  ],
  [
    'credits for months',
    { account: { ...calm, forecast: { ...FORECAST, exhausted_at: inDays(60) } } },
    [],
  ],
  [
    'a budget that refuses',
    { budgets: [{ ...budget, blocked: true }] },
    ['bad: Monthly budget refuses calls'],
  ],
  [
    'a budget that only alerts, used up',
    { budgets: [{ ...budget, action: 'alert', left_credits: 0, spent_credits: 1_000 }] },
    ['warn: Monthly budget is used up'],
  ],
  [
    'a threshold passed',
    { budgets: [{ ...budget, crossed_thresholds: [50], spent_credits: 600, left_credits: 400 }] },
    ['warn: Monthly budget has passed 50 %'],
  ],
  [
    'a budget that will not last',
    { budgets: [{ ...budget, period: 'window', exhausted_at: inDays(2) }] },
    ['info: Weekly budget will not last'],
  ],
  [
    'credits that expire',
    { account: { ...calm, grants: [grant, { ...grant, left: 0 }] } },
    ['info: 200 credits expire soon'],
  ],
  [
    'included credits, which end with every month',
    { account: { ...calm, grants: [{ ...grant, kind: 'included' }] } },
    [],
  ],
  [
    'a key that expires',
    { apiKeys: [key, { ...key, status: 'revoked' }] },
    ['info: API key “Nightly” expires soon'],
  ],
  ['an overdue invoice', { invoices: [invoice] }, ['warn: Invoice INV-000001 is overdue']],
  ['overdue invoices', { invoices: [invoice, invoice] }, ['warn: 2 invoices are overdue']],
];

test.each(cases)('%s', (_what, known, expected) => {
  expect(titles(known)).toEqual(expected);
});

test('the most urgent comes first', () => {
  const account = { ...calm, grants: [grant] };
  const budgets = [{ ...budget, blocked: true }];
  expect(titles({ account, budgets, invoices: [invoice] })).toEqual([
    'bad: Monthly budget refuses calls',
    'warn: Invoice INV-000001 is overdue',
    'info: 200 credits expire soon',
  ]);
});

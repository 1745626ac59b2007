// A month of an account as it is shown, and what became of it. One story: an invoice of November,
// a part of it taken back, and a payment.

const ACCOUNT_ID = '00000000-0000-4000-8000-000000000001';
const INVOICE_ID = '7d8f1c52-3c86-4a6b-9f0e-5f0a8f6d1b11';
const NOTE_ID = '2b1e9a40-8f2d-4d51-9c3a-6a7f2e5d4c22';
const GRANT_ID = '00000000-0000-4000-a000-000000000001';

const ISSUED = { account_id: ACCOUNT_ID, month: '2026-11', issue_date: '2026-12-01' };
const AMOUNTS = { currency: 'EUR', net: 66_675, tax: 12_668, total: 79_343 };
const CREDITED = { currency: 'EUR', net: -900, tax: -171, total: -1_071 };

export const SELLER = {
  name: 'Index GmbH',
  address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
  vat_id: 'ATU12345678',
  email: 'billing@index.example',
  payment_days: 14,
};

export const BUYER = {
  name: 'Nails & Co GmbH',
  address: { line1: 'Lange Gasse 2', city: 'Graz', postcode: '8010', country: 'AT' },
  email: 'accounts@nails.example',
};

const LINES = [
  {
    n: 1,
    type: 'usage',
    description: 'top 5, first calls',
    rule: 'top 5',
    kind: 'base',
    calls: 12,
    credits: 420,
    amount: 0,
  },
  {
    n: 2,
    type: 'usage',
    description: 'all beauty trends, first calls',
    rule: 'all beauty trends',
    kind: 'base',
    calls: 1,
    credits: 50_000,
    amount: 0,
  },
  {
    n: 3,
    type: 'covered',
    description: 'Included credits',
    grant_id: GRANT_ID,
    credits: -1_000,
    amount: 0,
  },
  {
    n: 4,
    type: 'overage',
    description: 'Credits beyond those of the plan',
    billed_credits: 49_420,
    price_per_1000_credits: 1_250,
    amount: 61_775,
  },
  { n: 5, type: 'fee', description: 'Monthly fee', amount: 4_900 },
];

const OF_MONTH = {
  account_id: ACCOUNT_ID,
  month: '2026-11',
  period: { from: '2026-11-01', to: '2026-11-30' },
  issue_date: '2026-12-01',
  due_date: '2026-12-15',
  seller: SELLER,
  buyer: BUYER,
  lines: LINES,
  ...AMOUNTS,
  tax_breakdown: [{ category: 'S', rate_percent: 19, taxable: 66_675, tax: 12_668 }],
  account_version: { from: 1, to: 2_210 },
};

const PAID = {
  id: '5a3c7e18-0d4b-4f6a-8b2e-9c1d3f5a7b33',
  amount: 40_000,
  currency: 'EUR',
  date: '2026-12-08',
  reference: 'INV-000001',
  recorded_at: '2026-12-08T09:30:00.000Z',
};

const STATE = { status: 'partly_paid', paid: 40_000, credited: 1_071, due: 38_272 };

export const PAYMENT = { ...PAID, invoice_number: 'INV-000001', state: STATE };

export const ACCOUNT_PAYMENT = {
  ...PAID,
  applied: [{ number: 'INV-000001', amount: 38_272 }],
  credit_balance_change: 1_728,
};

export const REFUND = {
  ...PAID,
  id: '6c1d8f2a-7b3e-4c5d-8e9f-0a1b2c3d4e66',
  amount: 1_728,
  reference: 'Paid twice',
  applied: [],
  credit_balance_change: -1_728,
};

export const WRITE_OFF = {
  id: '7e2f9a3b-8c4d-4e5f-9a0b-1c2d3e4f5a77',
  amount: 38_272,
  currency: 'EUR',
  date: '2027-03-01',
  recorded_at: '2027-03-01T09:30:00.000Z',
  invoice_number: 'INV-000001',
  state: { status: 'written_off', paid: 40_000, credited: 1_071, written_off: 38_272, due: 0 },
};

export const INVOICE = {
  number: 'INV-000001',
  type: 'invoice',
  id: INVOICE_ID,
  ...OF_MONTH,
  account_head: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  state: STATE,
  credit_notes: ['CN-000001'],
  payments: [PAID],
};

export const INVOICE_SUMMARY = {
  number: 'INV-000001',
  type: 'invoice',
  id: INVOICE_ID,
  test: false,
  ...ISSUED,
  due_date: '2026-12-15',
  ...AMOUNTS,
  state: STATE,
};

export const CREDIT_NOTE = {
  number: 'CN-000001',
  type: 'credit_note',
  id: NOTE_ID,
  ...ISSUED,
  seller: SELLER,
  buyer: BUYER,
  settlement: { set_off: 1_071, refund: 0 },
  invoice: { number: 'INV-000001', issue_date: '2026-12-01' },
  reason: 'Agreed by phone.',
  lines: [{ n: 1, type: 'credit', line: 4, description: 'Part of line 4', amount: -900 }],
  ...CREDITED,
  tax_breakdown: [{ category: 'S', rate_percent: 19, taxable: -900, tax: -171 }],
  credits_taken_back: 0,
  credits_kept: 0,
};

export const CREDIT_NOTE_SUMMARY = {
  number: 'CN-000001',
  type: 'credit_note',
  id: NOTE_ID,
  test: false,
  ...ISSUED,
  invoice_number: 'INV-000001',
  ...CREDITED,
};

export const INVOICE_DRAFT = {
  type: 'draft',
  ...OF_MONTH,
  missing: [
    { party: 'seller', pointer: '/vat_id', detail: 'The VAT id of the seller is missing.' },
  ],
  forecast: {
    credits_used: 61_200,
    billed_credits: 60_200,
    net: 80_150,
    tax: 15_229,
    total: 95_379,
  },
};

export const INVOICE_RUN = {
  id: '8e2f4a6c-1b3d-4e5f-9a7b-0c2d4e6f8a44',
  status: 'ended',
  month: '2026-11',
  account_id: null,
  started_at: '2026-12-01T00:00:02.000Z',
  ended_at: '2026-12-01T00:00:09.000Z',
  accounts: 312,
  done: 312,
  documents: 311,
  issued: 311,
  skipped: 1,
  failed: 0,
  failures: [],
};

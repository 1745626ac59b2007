// One webhook, a delivery to it, and the crossed threshold that was delivered.

const WEBHOOK_ID = '77ab1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c55';
const ACCOUNT_ID = '00000000-0000-4000-8000-000000000001';

export const WEBHOOK = {
  id: WEBHOOK_ID,
  url: 'https://hooks.example/popindex',
  events: ['budget.threshold_crossed', 'budget.blocked'],
  account_id: ACCOUNT_ID,
  description: 'Alerts of the data team',
  created_at: '2026-11-01T08:00:00.000Z',
  secret_rotated_at: null,
  old_secret_signs_until: null,
};

export const WEBHOOK_WITH_SECRET = {
  ...WEBHOOK,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
};

export const DELIVERY = {
  id: '5c3e7a19-2b4d-4f6e-9a8c-0d1e2f3a4b66',
  channel: 'webhook',
  webhook_id: WEBHOOK_ID,
  email: null,
  type: 'budget.threshold_crossed',
  number: null,
  account_id: ACCOUNT_ID,
  status: 'delivered',
  created_at: '2026-11-21T12:00:00.000Z',
  next_attempt_at: null,
  attempts: [
    {
      id: '6d4f8b2a-3c5e-4a7f-8b9d-1e2f3a4b5c77',
      at: '2026-11-21T12:00:00.120Z',
      duration_ms: 84,
      outcome: 'delivered',
      status: 204,
      detail: null,
    },
  ],
};

export const ALERT = {
  budget_id: '4e0d6c5b-4a39-4281-b0f7-6e5d4c3b2a88',
  period: '2026-11',
  threshold: 80,
  limit_credits: 100_000,
  spent_credits: 80_035,
  call_id: '00000000-0000-4000-9000-000000000001',
  at: '2026-11-21T12:00:00.000Z',
  deliveries: [DELIVERY],
};

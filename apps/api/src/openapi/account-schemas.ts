import type { Schema } from '#web/openapi-document.js';
import { problemSchemas } from '#web/problem-schemas.js';

const credits: Schema = { type: 'integer' };
const creditsOrNone: Schema = { type: ['integer', 'null'] };
const text: Schema = { type: 'string' };
const uuid: Schema = { type: 'string', format: 'uuid' };
const time: Schema = { type: 'string', format: 'date-time' };
const timeOrNone: Schema = { type: ['string', 'null'], format: 'date-time' };
const kind: Schema = { type: 'string', enum: ['base', 'repeat'] };
const label: Schema = { type: 'string', pattern: '^\\d{4}w\\d{2}$' };

function strict(properties: Readonly<Record<string, Schema>>): Schema {
  const required = Object.keys(properties);
  return { type: 'object', required, additionalProperties: false, properties };
}

const GRANT = strict({
  id: uuid,
  kind: { type: 'string', enum: ['purchased', 'promotional', 'included', 'adjustment'] },
  credits,
  left: credits,
  priority: { type: 'integer' },
  expires_at: timeOrNone,
  granted_at: time,
});

const BUDGET = strict({
  id: uuid,
  period: { type: 'string', enum: ['month', 'window'] },
  limit_credits: credits,
  thresholds: {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 100 },
    description: 'Percentages of the limit that are told when they are reached.',
  },
  action: { type: 'string', enum: ['alert', 'block'] },
  api_key_id: {
    type: ['string', 'null'],
    format: 'uuid',
    description: 'The API key whose calls count; null: those of the whole account.',
  },
  spent_credits: { ...credits, description: 'Since the running period began.' },
  left_credits: credits,
  resets_at: time,
  exhausted_at: {
    ...timeOrNone,
    description: 'When it is used up at the pace of its period; null: not before that ends.',
  },
});

const PLAN: Schema = {
  anyOf: [
    { type: 'null' },
    strict({
      monthly_fee: { type: 'integer', description: 'Net, as all amounts: minor units.' },
      included_credits: { ...credits, description: 'Given anew each month.' },
      price_per_1000_credits: { type: 'integer' },
      tax: {
        type: 'object',
        required: ['category', 'rate_percent'],
        additionalProperties: false,
        properties: {
          category: { type: 'string', enum: ['S', 'Z', 'E', 'AE', 'G', 'O'] },
          rate_percent: { type: 'number' },
          reason: text,
        },
      },
    }),
  ],
};

const ACCOUNT = strict({
  id: uuid,
  name: { type: ['string', 'null'] },
  status: { type: 'string', enum: ['active', 'suspended', 'closed'] },
  test: { type: 'boolean' },
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  balance: credits,
  overdraft_credits: { ...creditsOrNone, description: 'Null: no limit.' },
  available_credits: { ...creditsOrNone, description: 'Balance and overdraft; null: no limit.' },
  grants: { type: 'array', items: { $ref: '#/components/schemas/Grant' } },
  rate_limit: {
    anyOf: [
      { type: 'null' },
      strict({ per_second: { type: 'number' }, burst: { type: 'integer' } }),
    ],
  },
  low_balance_credits: creditsOrNone,
  rate_card: { type: ['integer', 'null'] },
  plan: { ...PLAN, description: 'In force in the running month.' },
  plan_next_month: { ...PLAN, description: 'In force from the next month on.' },
  test_clock: timeOrNone,
  now: time,
  window: label,
  window_ends_at: time,
  window_credits_used: credits,
  budgets: { type: 'array', items: { $ref: '#/components/schemas/Budget' } },
  forecast: strict({
    exhausted_at: {
      ...timeOrNone,
      description:
        'When balance and overdraft are used up at the present pace; null: not in sight.',
    },
  }),
  opened_at: time,
  version: { type: 'integer' },
});

const anyProblem: Schema = {
  oneOf: Object.keys(problemSchemas()).map((name) => ({ $ref: `#/components/schemas/${name}` })),
};

const QUOTED = strict({
  url: text,
  key: text,
  kind,
  call_cost: credits,
  data_cost: credits,
  credits,
  rule: text,
  window: label,
  window_ends_at: time,
  next_window_credits: {
    ...credits,
    description:
      'What the call costs if the same URLs are called in this order in the next window.',
  },
  problem: {
    anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/AnyProblem' }],
    description: 'What the call would be refused for.',
  },
});

/** Schemas of the free resources. */
export const ACCOUNT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Account: ACCOUNT,
  Budget: BUDGET,
  Grant: GRANT,
  QuoteRequest: strict({
    urls: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: { type: 'string', minLength: 1, maxLength: 8192 },
    },
  }),
  QuotedUrl: QUOTED,
  RefusedUrl: strict({ url: text, problem: { $ref: '#/components/schemas/AnyProblem' } }),
  Quote: strict({
    items: {
      type: 'array',
      items: {
        oneOf: [
          { $ref: '#/components/schemas/QuotedUrl' },
          { $ref: '#/components/schemas/RefusedUrl' },
        ],
      },
    },
    next: { type: 'null' },
    total_credits: credits,
    affordable: { type: 'boolean', description: 'Whether the account could make all of them.' },
  }),
  AnyProblem: anyProblem,
};

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
const tags: Schema = { type: ['object', 'null'], additionalProperties: text };

function strict(properties: Readonly<Record<string, Schema>>): Schema {
  const required = Object.keys(properties);
  return { type: 'object', required, additionalProperties: false, properties };
}

function page(item: string, further: Readonly<Record<string, Schema>> = {}): Schema {
  return strict({
    items: { type: 'array', items: { $ref: `#/components/schemas/${item}` } },
    next: { type: ['string', 'null'], description: 'Cursor for `after`; null at the end.' },
    ...further,
  });
}

const call = {
  call_id: uuid,
  at: time,
  key: text,
  kind,
  call_cost: credits,
  data_cost: credits,
  credits_used: credits,
  balance_after: credits,
  api_key_id: uuid,
  tags,
};

const GRANT = strict({
  id: uuid,
  kind: { type: 'string', enum: ['purchased', 'promotional', 'adjustment'] },
  credits,
  left: credits,
  priority: { type: 'integer' },
  expires_at: timeOrNone,
  granted_at: time,
});

const ACCOUNT = strict({
  id: uuid,
  name: { type: ['string', 'null'] },
  status: { type: 'string', enum: ['active', 'suspended'] },
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
  test_clock: timeOrNone,
  now: time,
  window: label,
  window_ends_at: time,
  window_credits_used: credits,
  opened_at: time,
  version: { type: 'integer' },
});

const EXPLANATION = strict({
  ...call,
  account_id: uuid,
  asked: { ...text, description: 'The path as it was sent.' },
  window: { ...label, description: 'The running window, which the call was charged in.' },
  data_window: { ...label, description: 'The window whose data was read.' },
  window_starts_at: time,
  window_ends_at: time,
  window_local: strict({ zone: text, starts: text, ends: text }),
  opened_by: { anyOf: [{ type: 'null' }, strict({ call_id: uuid, at: time })] },
  rate_card: { type: 'integer' },
  rule: text,
  rows: { type: 'integer', minimum: 1 },
  release: text,
  draws: { type: 'array', items: strict({ grant_id: uuid, credits }) },
  overdraft_credits: credits,
  balance_before: credits,
  log: strict({
    lane: { type: 'integer' },
    position: { type: 'integer' },
    account_version: { type: 'integer' },
  }),
  adjusted_by: { type: ['string', 'null'] },
  invoice_line: { type: 'null' },
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
  next_window_credits: credits,
  problem: {
    anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/AnyProblem' }],
    description: 'What the call would be refused for.',
  },
});

/** Schemas of the free resources. */
export const ACCOUNT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Account: ACCOUNT,
  Grant: GRANT,
  Call: strict(call),
  CallPage: page('Call'),
  CallExplanation: EXPLANATION,
  WindowKey: strict({
    key: text,
    window: label,
    first_call_at: time,
    calls: { type: 'integer', minimum: 1 },
    credits_used: credits,
    window_ends_at: time,
  }),
  WindowKeyPage: page('WindowKey'),
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

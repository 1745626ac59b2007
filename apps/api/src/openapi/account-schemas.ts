import type { Schema } from '#web/openapi-document.js';
import { oneOfProblems, problemSlugs } from '#web/problem-schemas.js';

const credits: Schema = { type: 'integer' };
const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };
const kind: Schema = { $ref: '#/components/schemas/CallKind' };
const label: Schema = { type: 'string', pattern: '^\\d{4}w\\d{2}$' };

function strict(properties: Readonly<Record<string, Schema>>): Schema {
  const required = Object.keys(properties);
  return { type: 'object', required, additionalProperties: false, properties };
}

const anyProblem = oneOfProblems(problemSlugs());

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

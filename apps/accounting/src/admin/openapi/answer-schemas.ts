import { z } from 'zod';
import { Call } from '#rest/usage/usage.schemas.js';
import { EXPORT_ANSWERS } from './export-answers.js';
import { INVOICE_ANSWERS } from './invoice-answers.js';
import { SAFETY_ANSWERS } from './safety-schemas.js';

// What answers look like. The suite of the routes holds every answer against these.

const uuid = z.uuid();
const moment = z.iso.datetime();
const label = z.string().regex(/^\d{4}w\d{2}$/);

const rebuild = z.strictObject({
  status: z.enum(['running', 'done', 'failed']),
  stage: z.enum(['building', 'switching', 'catching-up']),
  started_at: moment,
  ended_at: moment.nullable(),
  events: z.int().meta({ description: 'Events applied so far.' }),
  events_total: z.int().meta({ description: 'Events to apply, as far as is known by now.' }),
  error: z.string().nullable(),
});

const damagedAccount = z.strictObject({
  account_id: uuid,
  lane: z.int(),
  position: z.int().meta({ description: 'Of the event that cannot be applied.' }),
  account_version: z.int(),
  error: z.string(),
});

const finding = z.strictObject({
  table: z.string(),
  key: z.string().meta({ description: 'Names the row.' }),
  expected: z.unknown(),
  found: z.unknown(),
});

/** Schemas of answers by the name that the document gives them. */
export const ANSWERS = {
  Call,
  ...SAFETY_ANSWERS,
  ...INVOICE_ANSWERS,
  ...EXPORT_ANSWERS,
  Release: z.strictObject({
    release: z.string(),
    window: label.meta({ description: 'The first window that it serves.' }),
    through: z.string().meta({ description: 'The newest month that it holds.' }),
    sha256: z.string(),
    published_at: moment,
    categories: z.int(),
    brands: z.int(),
    relations: z.int(),
    volumes: z.int(),
  }),
  Projection: z.strictObject({
    name: z.string(),
    version: z.int(),
    status: z.enum(['stopped', 'running', 'waiting-for-database', 'outdated', 'failed']),
    lag: z.int().meta({ description: 'Events of the log that its tables do not hold yet.' }),
    error: z.string().nullable(),
    rebuild: rebuild.nullable().meta({ description: 'The latest that this process began.' }),
    damaged_accounts: z.array(damagedAccount).meta({
      description: 'Accounts with an event that cannot be applied, the first 100.',
    }),
  }),
  Rebuild: rebuild,
  LossAcknowledgement: z.strictObject({
    acknowledged: z
      .array(
        z.strictObject({
          lane: z.int(),
          from: z.int().meta({ description: 'The position that a process knew.' }),
          to: z.int().nullable().meta({
            description: 'Where the lane stood then; null: as far, or further, with other events.',
          }),
        }),
      )
      .meta({ description: 'Losses that stood; none where there was nothing to acknowledge.' }),
  }),
  Verification: z.strictObject({
    status: z.enum(['running', 'done', 'failed']),
    started_at: moment,
    ended_at: moment.nullable(),
    lanes: z.int(),
    lanes_total: z.int(),
    events: z.int(),
    events_total: z.int().meta({ description: 'Events in the log when it began.' }),
    intact: z.boolean().nullable().meta({ description: 'Whether nothing differs; null before.' }),
    checks: z
      .array(
        z.strictObject({
          check: z.string(),
          rule: z.string(),
          differences: z.int().meta({ description: 'How many rows differ.' }),
          first: finding.nullable(),
        }),
      )
      .nullable(),
    not_covered: z
      .array(z.string())
      .nullable()
      .meta({ description: 'What could not be looked at, in sentences; null before.' }),
    error: z.string().nullable(),
  }),
} as const;

export type AnswerName = keyof typeof ANSWERS;

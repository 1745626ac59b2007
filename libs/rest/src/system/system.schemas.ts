import { z } from 'zod';
import { textField } from '#web/body-fields.js';
import type { Frozen } from '../operation/frozen.js';

// The service itself: releases, projections and works on the log, in requests and in answers.

const moment = z.iso.datetime();
const WorkStatus = z.enum(['running', 'done', 'failed']).meta({ id: 'WorkStatus' });

/** A release of the data. */
export const Release = z
  .strictObject({
    release: z.string(),
    window: z
      .string()
      .regex(/^\d{4}w\d{2}$/)
      .meta({ description: 'The first window that it serves.' }),
    through: z.string().meta({ description: 'The newest month that it holds.' }),
    sha256: z.string(),
    published_at: moment,
    withdrawn_at: moment.nullable().meta({
      description: 'When it was withdrawn: then it serves no window.',
    }),
    older_than: z.string().nullable().meta({
      description: 'The release that it replaces, where that holds newer months.',
    }),
    categories: z.int(),
    brands: z.int(),
    relations: z.int(),
    volumes: z.int(),
  })
  .meta({ id: 'Release' });
export type Release = Frozen<z.output<typeof Release>>;

/** A rebuild of a projection. */
export const Rebuild = z
  .strictObject({
    status: WorkStatus,
    stage: z.enum(['building', 'switching', 'catching-up']),
    started_at: moment,
    ended_at: moment.nullable(),
    events: z.int().meta({ description: 'Events applied so far.' }),
    events_total: z.int().meta({ description: 'Events to apply, as far as is known by now.' }),
    error: z.string().nullable(),
  })
  .meta({ id: 'Rebuild' });
export type Rebuild = Frozen<z.output<typeof Rebuild>>;

const damagedAccount = z.strictObject({
  account_id: z.uuid(),
  lane: z.int(),
  position: z.int().meta({ description: 'Of the event that cannot be applied.' }),
  account_version: z.int(),
  error: z.string(),
});

/** A projection of this process. */
export const Projection = z
  .strictObject({
    name: z.string(),
    version: z.int(),
    status: z
      .enum(['stopped', 'running', 'waiting-for-database', 'outdated', 'failed'])
      .meta({ id: 'ProjectionStatus' }),
    lag: z.int().meta({ description: 'Events of the log that its tables do not hold yet.' }),
    error: z.string().nullable().meta({
      description: 'The error that stopped it, or the outage that it waits for.',
    }),
    rebuild: Rebuild.nullable().meta({ description: 'The latest that this process began.' }),
    damaged_accounts: z.array(damagedAccount).meta({
      description: 'Accounts with an event that cannot be applied, the first 100.',
    }),
  })
  .meta({ id: 'Projection' });
export type Projection = Frozen<z.output<typeof Projection>>;

const finding = z.strictObject({
  table: z.string(),
  key: z.string().meta({ description: 'Names the row.' }),
  expected: z.unknown(),
  found: z.unknown(),
});

/** A verification of the log. */
export const Verification = z
  .strictObject({
    status: WorkStatus,
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
  })
  .meta({ id: 'Verification' });
export type Verification = Frozen<z.output<typeof Verification>>;

/** The statement that somebody has looked at what the log has lost, and what was found or done. */
export const AcknowledgeLoss = z
  .strictObject({ reason: textField(500).meta({ description: 'Why; it is kept in the log.' }) })
  .meta({ id: 'AcknowledgeLoss' });

/** Losses that were acknowledged. */
export const LossAcknowledgement = z
  .strictObject({
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
  })
  .meta({ id: 'LossAcknowledgement' });
export type LossAcknowledgement = Frozen<z.output<typeof LossAcknowledgement>>;

import { z } from 'zod';
import { GrantKind } from '../credits/credit.schemas.js';

// Statements, in answers.

const uuid = z.uuid();
const credits = z.int();
const date = z.iso.date();
const entry = { at: z.iso.datetime(), grant_id: uuid.nullable(), credits } as const;
const head = z.string().regex(/^[0-9a-f]{64}$/);

/** A month of an account in credits. */
export const Statement = z
  .strictObject({
    type: z.literal('statement'),
    account_id: uuid,
    month: z.string().regex(/^\d{4}-\d{2}$/),
    period: z.strictObject({ from: date, to: date }),
    time_zone: z.string().meta({ description: 'The zone in which days and the month begin.' }),
    opening_balance: credits,
    grants: z.array(
      z.strictObject({
        ...entry,
        kind: GrantKind,
      }),
    ),
    adjustments: z.array(
      z.strictObject({ ...entry, reason: z.string(), call_id: uuid.nullable() }),
    ),
    charges: z
      .array(z.strictObject({ day: date, calls: z.int().min(1), credits }))
      .meta({ description: 'What calls cost, by local day.' }),
    expiries: z.array(z.strictObject(entry)),
    voids: z.array(z.strictObject(entry)),
    billed_credits: credits.meta({ description: "A debt that was billed at the month's end." }),
    closing_balance: credits,
    account_version: z.strictObject({ from: z.int(), to: z.int() }),
    opening_head: head.meta({ description: "Head of the account's chain before these versions." }),
    account_head: head.optional().meta({
      description:
        "Head of the account's chain after these versions; absent while the statement is not final.",
    }),
    final: z
      .boolean()
      .meta({ description: 'Whether the month is closed. A final statement never changes.' }),
  })
  .meta({
    id: 'Statement',
    description: 'A month of an account in credits.',
  });

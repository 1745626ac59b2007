import { z } from 'zod';
import { CallKind } from '../usage/call-kind.js';

// Lines of invoices and credit notes, in answers.

const uuid = z.uuid();
const amount = z.int();
const credits = z.int();
const common = { n: z.int().min(1), description: z.string(), amount } as const;

const usage = z
  .strictObject({
    ...common,
    type: z.literal('usage'),
    rule: z.string(),
    kind: CallKind,
    calls: z.int(),
    credits,
  })
  .meta({ id: 'UsageLine' });

const adjustment = z
  .strictObject({
    ...common,
    type: z.literal('adjustment'),
    reason: z.string(),
    call_id: uuid.nullable(),
    credits,
  })
  .meta({ id: 'AdjustmentLine' });

const covered = z
  .strictObject({ ...common, type: z.literal('covered'), grant_id: uuid, credits })
  .meta({ id: 'CoveredLine' });

const carried = z
  .strictObject({ ...common, type: z.literal('carried'), credits })
  .meta({ id: 'CarriedLine' });

const overage = z
  .strictObject({
    ...common,
    type: z.literal('overage'),
    billed_credits: credits,
    price_per_1000_credits: amount,
  })
  .meta({ id: 'OverageLine' });

const purchase = z
  .strictObject({
    ...common,
    type: z.literal('purchase'),
    grant_id: uuid,
    granted_credits: credits,
  })
  .meta({ id: 'PurchaseLine' });

const fee = z.strictObject({ ...common, type: z.literal('fee') }).meta({ id: 'FeeLine' });

/** A line of an invoice; `type` says which. */
export const InvoiceLine = z
  .discriminatedUnion('type', [usage, adjustment, covered, carried, overage, purchase, fee])
  .meta({ id: 'InvoiceLine' });

/** A line of a credit note. */
export const CreditLine = z
  .strictObject({
    ...common,
    type: z.literal('credit'),
    line: z.int(),
    call_id: uuid.optional(),
  })
  .meta({ id: 'CreditLine' });

import { z } from 'zod';
import { CREDITS_MAX } from '#account/limits.js';
import { instantField, priceField, textField, uuidField } from '#web/body-fields.js';
import type { Frozen } from '../operation/frozen.js';
import { reasonField } from '../operation/reason.js';

// Credits given and taken, in requests and in answers.

const PRIORITY_MAX = 1_000_000;

const credits = z.int();
const moment = z.iso.datetime();

/** A price that is missing, or one too many, is reported beside all other faults. */
function refuseWrongPrice(
  { kind, price }: { readonly kind?: string; readonly price?: unknown },
  context: z.RefinementCtx,
): void {
  const isAbsent = (price ?? null) === null;
  if (kind === 'purchased' && isAbsent) {
    const message =
      'Purchased credits need a price: 0 where they cost nothing. Free credits are promotional';
    context.addIssue({ code: 'custom', path: ['price'], message });
  }
  if (kind === 'promotional' && !isAbsent) {
    context.addIssue({
      code: 'custom',
      path: ['price'],
      message: 'Only purchased credits have a price',
    });
  }
}

/** Credits to give. */
export const GrantCredits = z
  .strictObject({
    credits: credits.min(1).max(CREDITS_MAX).meta({ description: 'Number of credits.' }),
    kind: z
      .enum(['purchased', 'promotional'])
      .meta({ description: 'Purchased credits have a price; what is free is promotional.' }),
    price: priceField
      .nullable()
      .default(null)
      .meta({
        description:
          'Net, in minor units of the currency. Required of purchased credits, 0 where they cost ' +
          'nothing; promotional credits have none.',
      }),
    expires_at: instantField
      .nullable()
      .default(null)
      .meta({ description: 'When what is left of the grant expires; null: never.' }),
    priority: z
      .int()
      .min(0)
      .max(PRIORITY_MAX)
      .default(100)
      .meta({ description: 'Lower is drawn first; then the earliest expiry, then the oldest.' }),
    note: textField(500)
      .nullable()
      .default(null)
      .meta({ description: 'For operators; the customer does not see it.' }),
  })
  .superRefine(refuseWrongPrice, {
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .meta({ id: 'GrantCredits' });
export type GrantCredits = z.output<typeof GrantCredits>;

const refundBy = z
  .enum(['credit_note', 'lower_invoice', 'no_invoice'])
  .nullable()
  .meta({
    id: 'RefundBy',
    description:
      'A credit note for what was invoiced; an invoice that is still to come and bills only what ' +
      'was used, or none. Null: nothing is given back.',
  });

/** How a grant is taken back. */
export const VoidGrant = z
  .strictObject({
    reason: reasonField,
    refund: z
      .boolean()
      .default(true)
      .meta({ description: 'False: what was paid for the unused credits is forfeited.' }),
  })
  .meta({ id: 'VoidGrant' });
export type VoidGrant = z.output<typeof VoidGrant>;

/** A grant that was taken back, with the credits and the money that moved. */
export const VoidedGrant = z
  .strictObject({
    id: z.uuid(),
    credits_taken_back: credits.meta({
      description: 'The unused credits of the grant; 0 where nothing was left of it.',
    }),
    currency: z.string().regex(/^[A-Z]{3}$/),
    refund: z.int().meta({
      description: 'Given back of the price, net, in minor units of the currency.',
    }),
    refund_by: refundBy,
    forfeited: z.int().meta({
      description: 'Paid for these credits and not given back, net, in minor units.',
    }),
    credit_note_id: z.uuid().nullable(),
    credit_note_number: z
      .string()
      .nullable()
      .meta({ description: 'Null while it has no number: it is recorded and gets one.' }),
    balance: credits.meta({ description: 'Balance of the account after it.' }),
  })
  .meta({ id: 'VoidedGrant' });
export type VoidedGrant = Frozen<z.output<typeof VoidedGrant>>;

/** Credits to give or to take by hand. */
export const AdjustCredits = z
  .strictObject({
    credits: credits
      .refine((number) => number !== 0, 'Credits to give (positive) or to take (negative)')
      .meta({ description: 'Credits to give, or below zero to take.' }),
    reason: textField(500).meta({ description: 'Why; it is kept in the log.' }),
    call_id: uuidField.nullable().default(null).meta({
      description: 'The call that is given back: at most once, and at most what it was charged.',
    }),
  })
  .meta({ id: 'AdjustCredits' });
export type AdjustCredits = z.output<typeof AdjustCredits>;

/** How a grant came about. */
export const GrantKind = z
  .enum(['purchased', 'promotional', 'included', 'adjustment'])
  .meta({ id: 'GrantKind' });

const grant = z.strictObject({
  id: z.uuid(),
  kind: GrantKind,
  credits,
  left: credits.meta({ description: 'Credits that are not drawn yet.' }),
  priority: z.int(),
  expires_at: moment.nullable(),
  granted_at: moment,
});

/** A grant as its account shows it. */
export const Grant = grant.meta({ id: 'Grant' });

/** A grant with its price and what became of it, also when nothing is left of it. */
export const GrantDetails = grant
  .extend({
    price: z.int().nullable().meta({ description: 'Net, in minor units of the currency.' }),
    note: z.string().nullable(),
    status: z.enum(['active', 'spent', 'expired', 'voided']).meta({ id: 'GrantStatus' }),
    invoice_id: z.uuid().nullable().meta({
      description: "Of the purchase's own invoice; null: it is on its month's, or was not bought.",
    }),
    invoice_number: z
      .string()
      .nullable()
      .meta({
        description:
          'Null while that invoice has no number: it is being issued, or held until what it lacks is ' +
          'filled in (`GET /invoices?status=held`). `GET /invoices/{invoice_id}` follows it.',
      }),
    refund: z.int().optional().meta({
      description:
        'In lists: what a void would give back now, net, in minor units of the currency.',
    }),
    refund_by: refundBy.optional(),
  })
  .meta({ id: 'GrantDetails' });
export type GrantDetails = Frozen<z.output<typeof GrantDetails>>;

/** Credits that were given or taken by hand. */
export const Adjustment = z
  .strictObject({
    id: z.uuid(),
    credits,
    reason: z.string(),
    call_id: z.uuid().nullable(),
    grant_id: z.uuid().nullable().meta({
      description: 'Id under which credits that were given are kept and drawn.',
    }),
    balance: credits.meta({ description: 'Balance of the account after the adjustment.' }),
    at: moment,
  })
  .meta({ id: 'Adjustment' });
export type Adjustment = Frozen<z.output<typeof Adjustment>>;

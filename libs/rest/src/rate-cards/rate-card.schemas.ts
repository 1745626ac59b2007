import { z } from 'zod';
import { MATCH_MEMBERS } from '#rating/match-members.js';
import { textField, uuidField } from '#web/body-fields.js';
import type { Frozen } from '../operation/frozen.js';
import { Reason } from '../operation/reason.js';

// Rate cards, in requests and in answers. What is wrong with one in a request is found by
// `validateRateCard`, which knows more than a schema can say.

const credits = z.int();
const cost = z.int().min(0);
const moment = z.iso.datetime();
const version = z.int().min(1);
const windowLabel = z.string().regex(/^[1-9]\d{3}w\d{2}$/);
const callCost = cost.meta({ description: 'Credits of every call.' });

const match = z.record(z.string(), z.string()).meta({
  description:
    'Members of the resource: all that is given must be as there, and `{}` matches everything. Of ' +
    `the popularity index these are ${MATCH_MEMBERS.join(', ')}; of another product any can be ` +
    'matched. `category` is the slug of a listing, or the id of the category of related trends.',
});

const rule = z.strictObject({
  name: textField(100).meta({ description: 'Unique in its card.' }),
  match,
  data_cost: z.union([
    z
      .strictObject({ flat: cost.meta({ description: 'Credits for any answer.' }) })
      .meta({ id: 'FlatCost' }),
    z
      .strictObject({ per_row: cost.meta({ description: 'Credits for each row or point.' }) })
      .meta({ id: 'PerRowCost' }),
    z
      .strictObject({
        per: z
          .record(z.string(), cost)
          .meta({ description: 'What each unit costs, by its name, in parts of a credit.' }),
        of: z.int().min(1).meta({
          description: 'How many of these parts make a credit. The sum is rounded up, once.',
        }),
      })
      .meta({ id: 'PerUnitCost' }),
  ]),
});

const rules = z.array(rule).min(1).max(200).meta({
  description: 'Tried in order: the first that matches gives the data cost. The last matches `{}`.',
});

const product = z.string().regex(/^[a-z0-9-]{1,32}$/);
const repeat = z.enum(['week', 'never']).meta({
  id: 'RateCardRepeat',
  description:
    '`week`: the first call of a resource in a week pays its data cost; `never`: every call does.',
});

/** A rate card to publish. */
export const PublishRateCard = z
  .strictObject({
    product: product.optional().meta({ description: 'What it prices; absent: `v1`, the index.' }),
    repeat: repeat.optional(),
    effective_window: windowLabel.nullable().meta({
      description:
        'Label of the window that it begins with, which begins in 60 s or later; null: it prices ' +
        'only the accounts that name it. The first card of a product may begin with the running ' +
        'window, and does so with null.',
    }),
    call_cost: callCost,
    rules,
    reason: Reason.shape.reason,
  })
  .meta({ id: 'PublishRateCard' });

const bound = z.string().meta({ examples: ['2026-11-01', '2026-11-24T09:00:00Z'] });

/** The members of a preview that are no prices. */
export const previewScope = z.strictObject({
  version: version.optional().meta({ description: 'A card that is published.' }),
  from: bound.meta({ description: 'RFC 3339, or a date for its first instant.' }),
  to: bound.meta({ description: 'Exclusive; after `from`.' }),
  account_id: uuidField
    .nullable()
    .default(null)
    .meta({ description: 'This account alone, also one of tests; null: all of them.' }),
});

/** A period and a card to price its calls by. */
export const PreviewRateCard = previewScope
  .extend({
    product: product.optional(),
    call_cost: callCost.optional(),
    rules: rules.optional(),
  })
  .meta({
    id: 'PreviewRateCard',
    description:
      'A period, and a card: either `version`, or `call_cost` and `rules`, with the `product` unless it is `v1`.',
  });

/** The prices of a published card, and from when on they count. */
export const cardPrices = {
  version,
  effective_window: windowLabel.nullable().meta({
    description:
      'The first window that it prices; null of the first card: from the beginning, of another ' +
      'one: it prices the accounts that name it.',
  }),
  effective_from: moment.nullable().meta({ description: 'When that window begins.' }),
  call_cost: callCost,
  rules,
};

/** A published rate card. */
export const RateCard = z
  .strictObject({
    ...cardPrices,
    product: product.meta({ description: 'What it prices; `v1` is the popularity index.' }),
    repeat,
    in_force: z.boolean().meta({ description: 'Whether it prices the running window.' }),
    in_force_next: z.boolean().meta({ description: 'Whether it prices the next window.' }),
    published_at: moment
      .nullable()
      .meta({ description: 'Null of the first card: it is built in.' }),
    published_by: z.string().nullable().meta({ description: 'Id of the token.' }),
    reason: z.string().nullable(),
  })
  .meta({ id: 'RateCard' });
export type RateCard = Frozen<z.output<typeof RateCard>>;

const placedRule = z.strictObject({
  position: z.int().min(0).meta({ description: 'Its place in the card, from 0.' }),
  ...rule.shape,
});

/** The differences of two cards. */
export const cardChanges = {
  call_cost: z.strictObject({ before: callCost, after: callCost }),
  rules: z.strictObject({
    added: z.array(placedRule),
    removed: z.array(placedRule),
    changed: z
      .array(z.strictObject({ name: z.string(), before: placedRule, after: placedRule }))
      .meta({
        description:
          'Rules that match the same or have the same name, and differ: in name, match or price.',
      }),
    reordered: z
      .boolean()
      .meta({ description: 'Whether the rules that both have stand in another order.' }),
  }),
};

/** Changes of a card against another one. */
export const RateCardDiff = z
  .strictObject({ version, against: version, ...cardChanges })
  .meta({ id: 'RateCardDiff' });
export type RateCardDiff = Frozen<z.output<typeof RateCardDiff>>;

const sums = {
  calls: z.int(),
  actual_credits: credits.meta({ description: 'What the calls were charged.' }),
  preview_credits: credits.meta({ description: 'What they would have cost by the card.' }),
  difference: credits.meta({ description: '`preview_credits` less `actual_credits`.' }),
} as const;

const previewedAccount = z.strictObject({
  account_id: z.uuid(),
  name: z.string().nullable().meta({ description: 'Null once it has been erased.' }),
  test: z.boolean(),
  rate_card: version.nullable().meta({
    description: 'The card of its own, which a card for all would not replace.',
  }),
  ...sums,
});
export type PreviewedAccount = Frozen<z.output<typeof previewedAccount>>;

/** Prices of a period's calls by another card, beside their charges. */
export const RateCardPreview = z
  .strictObject({
    version: version.nullable().meta({ description: 'Null of prices that are not published.' }),
    from: moment,
    to: moment,
    total: z.strictObject({ accounts: z.int(), ...sums }),
    items: z
      .array(previewedAccount)
      .meta({ description: 'The greatest difference first; at most 10,000 accounts.' }),
    next: z.null(),
  })
  .meta({ id: 'RateCardPreview' });
export type RateCardPreview = Frozen<z.output<typeof RateCardPreview>>;

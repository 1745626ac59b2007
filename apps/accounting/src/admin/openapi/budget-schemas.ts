import { z } from 'zod';

// What answers about budgets look like.

const uuid = z.uuid();
const moment = z.iso.datetime();
const credits = z.int();
const percentages = z.array(z.int());

const members = {
  id: uuid,
  period: z.enum(['month', 'window']),
  limit_credits: credits,
  thresholds: percentages.meta({ description: 'Percentages of the limit.' }),
  action: z.enum(['alert', 'block']),
  api_key_id: uuid.nullable().meta({ description: 'Null: calls of the whole account count.' }),
  spent_credits: credits.meta({ description: 'Since the running period began.' }),
  left_credits: credits,
  resets_at: moment,
  exhausted_at: moment.nullable().meta({
    description: 'When it is used up at the pace of its period; null: not before that ends.',
  }),
} as const;

/** A budget in the view of its account. */
export const budget = z.strictObject(members);

export const BUDGET_ANSWERS = {
  Budget: z.strictObject({
    ...members,
    running_period: z.string().meta({ description: 'Label of the month or window that runs.' }),
    crossed_thresholds: percentages.meta({
      description: 'Those that were crossed in the running period.',
    }),
    blocked: z.boolean().meta({ description: 'Whether it has refused a call in that period.' }),
    notify: z
      .strictObject({ emails: z.array(z.string()) })
      .nullable()
      .meta({ description: 'Null: nobody, or erased.' }),
  }),
} as const;

import { z } from 'zod';
import { CREDITS_MAX } from '#account/limits.js';
import { currencyField } from '#invoicing/party.body.js';
import { planField } from '#invoicing/plan.body.js';
import { codeField, instantField, textField } from '#web/body-fields.js';
import { Scope } from '../api-keys/api-key.schemas.js';
import { Budget } from '../budgets/budget.schemas.js';
import { Grant } from '../credits/credit.schemas.js';
import type { Frozen } from '../operation/frozen.js';
import { reasonField } from '../operation/reason.js';

// Accounts, in requests and in answers.

const CALLS_PER_SECOND_MAX = 1_000_000;

const status = z.enum(['active', 'suspended', 'closed']).meta({ id: 'AccountStatus' });
const credits = z.int();
const moment = z.iso.datetime();
const calls = z.int().min(1).max(CALLS_PER_SECOND_MAX);
const name = textField(200);
const overdraft = z.int().min(0).max(CREDITS_MAX).nullable().optional();

/** At most so many pairs, as long as those that payment services take. */
export const PAIRS_MAX = 20;
const metadataName = z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/);
const metadataValue = textField(500);
const externalId = codeField(200);
const isShort = (pairs: object): boolean => Object.keys(pairs).length <= PAIRS_MAX;
const TOO_MANY = `At most ${PAIRS_MAX} pairs`;

/** Terms of an account that may be changed. */
const TERMS = {
  rate_limit: z.strictObject({ per_second: calls, burst: calls }).nullable().optional().meta({
    description: 'Calls a second, and at once in a burst; null: the limits of the service.',
  }),
  low_balance_credits: z
    .int()
    .min(0)
    .max(CREDITS_MAX)
    .nullable()
    .optional()
    .meta({ description: 'A balance below it emits an alert; null: no alert.' }),
  rate_card: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .meta({ description: 'Version of a rate card of its own; null: the card of each window.' }),
  rate_cards: z
    .record(z.string().regex(/^[a-z0-9-]{1,32}$/), z.int().min(1).nullable())
    .optional()
    .meta({
      description: 'The same for other products than the index, by their names; others stay.',
      examples: [{ weather: 7 }],
    }),
  plan: planField.nullable().optional().meta({ description: 'The plan; null: none.' }),
  receipts: z.boolean().optional().meta({
    description: 'Whether every metered answer carries a signed receipt, preferred or not.',
  }),
} as const;

/** An account to open. */
export const OpenAccount = z
  .strictObject({
    name: name.meta({ description: 'Name of the customer.' }),
    external_id: externalId.optional().meta({
      description: 'Its id in a system of yours. No two accounts have the same.',
    }),
    metadata: z.record(metadataName, metadataValue).refine(isShort, TOO_MANY).optional().meta({
      description: 'Texts of your own, by name. Customers do not see them.',
    }),
    currency: currencyField
      .default('USD')
      .meta({ description: 'Code of a currency in force, with a minor unit (ISO 4217).' }),
    overdraft_credits: overdraft.meta({
      description:
        'How far the balance may go below zero; null: no limit, which is the default with a plan. ' +
        'Else it is 0.',
    }),
    test_clock: instantField
      .nullable()
      .default(null)
      .meta({ description: 'Opens a test account that lives at this moment until it is moved.' }),
    ...TERMS,
  })
  .meta({ id: 'OpenAccount' });
export type OpenAccount = z.output<typeof OpenAccount>;

/** Changes of an account; absent members stay as they are. */
export const ChangeAccount = z
  .strictObject({
    name: name.optional().meta({ description: 'A new name.' }),
    external_id: externalId.nullable().optional().meta({
      description: 'Its id in a system of yours; null: none.',
    }),
    metadata: z
      .record(metadataName, metadataValue.nullable())
      .refine(isShort, TOO_MANY)
      .optional()
      .meta({ description: 'Texts to set by name; null removes one, the others stay.' }),
    overdraft_credits: overdraft.meta({
      description: 'How far the balance may go below zero; null: no limit.',
    }),
    ...TERMS,
    reason: reasonField,
  })
  .refine(
    ({ reason: _reason, ...changes }) => Object.keys(changes).length > 0,
    'At least one member that changes something',
  )
  .meta({ id: 'ChangeAccount' });
export type ChangeAccount = z.output<typeof ChangeAccount>;

/** Where the clock of a test account is moved. */
export const MoveTestClock = z
  .strictObject({
    now: instantField.meta({
      description: 'The new time of the account; not before its present one.',
    }),
  })
  .meta({ id: 'MoveTestClock' });

/** An account as it stands, or stood. */
export const Account = z
  .strictObject({
    id: z.uuid(),
    name: z.string().nullable().meta({ description: 'Null once it has been erased.' }),
    external_id: z.string().nullable().optional().meta({
      description: 'Its id in a system of the operator. Operators alone see it.',
    }),
    metadata: z.record(z.string(), z.string()).optional().meta({
      description: 'Texts of the operator, by name. Operators alone see them.',
    }),
    status,
    test: z.boolean(),
    currency: z.string(),
    balance: credits,
    overdraft_credits: credits
      .nullable()
      .meta({ description: 'How far the balance may go below zero; null: no limit.' }),
    available_credits: credits.nullable().meta({
      description: 'Balance and overdraft together; null: no limit.',
    }),
    grants: z
      .array(Grant)
      .meta({ description: 'Grants in the order in which calls draw on them.' }),
    rate_limit: z.strictObject({ per_second: z.int(), burst: z.int() }).nullable(),
    low_balance_credits: credits.nullable(),
    rate_card: z.int().nullable(),
    rate_cards: z.record(z.string(), z.int()).meta({
      description: 'Rate cards of its own for other products than the index, by their names.',
    }),
    receipts: z.boolean().meta({
      description: 'Whether every metered answer carries a signed receipt.',
    }),
    plan: planField.nullable().meta({ description: 'The plan of the running month.' }),
    plan_next_month: planField.nullable().meta({ description: 'The plan from the next month on.' }),
    test_clock: moment.nullable(),
    now: moment.meta({ description: 'The time of the account: its test clock, or real time.' }),
    window: z.string().regex(/^\d{4}w\d{2}$/),
    window_ends_at: moment,
    window_credits_used: credits,
    budgets: z.array(Budget),
    forecast: z.strictObject({
      exhausted_at: moment.nullable().meta({
        description:
          'When balance and overdraft are used up, if the account goes on as in its last windows; ' +
          'null: not in sight.',
      }),
      balance_exhausted_at: moment.nullable().meta({
        description: 'When the balance alone is used up, and the overdraft begins.',
      }),
      month_credits: credits.meta({ description: 'Of the running month when it ends.' }),
      next_window_credits: credits.meta({
        description: 'For the first calls of the next window, at its prices.',
      }),
      confidence: z.enum(['high', 'medium', 'low']).meta({
        id: 'ForecastConfidence',
        description: 'By the windows that are known: four, two, or fewer or uneven ones.',
      }),
    }),
    opened_at: moment,
    api_key: z
      .strictObject({ id: z.uuid(), scopes: z.array(Scope), expires_at: moment.nullable() })
      .optional()
      .meta({ description: 'The API key of the request, in the public API.' }),
    version: z.int().meta({ description: 'Number of events of the account.' }),
  })
  .meta({ id: 'Account' });
export type Account = Frozen<z.output<typeof Account>>;

/** An account that was erased. */
export const ErasedAccount = Account.extend({
  plain_texts_in_log: z
    .strictObject({
      reasons: z.int(),
      references: z.int(),
      urls: z.int(),
      tagged_calls: z.int().meta({ description: 'Calls with tags.' }),
    })
    .meta({
      description:
        'How many texts its events hold in clear, because they were written before texts were ' +
        'encrypted: they cannot be taken out of the log. All are 0 for a newer account.',
    }),
}).meta({ id: 'ErasedAccount' });
export type ErasedAccount = Frozen<z.output<typeof ErasedAccount>>;

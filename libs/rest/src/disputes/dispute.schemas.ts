import { z } from 'zod';
import { textField, uuidField } from '#web/body-fields.js';
import { LIST_QUERY, PAGE_QUERY } from '#web/query.js';
import { OF_ALL } from '../invoices/invoice-requests.js';

const CALLS_MAX = 100;
const TEXT_LENGTH = 500;

/** The answer of operators in one word. */
export const DisputeOutcome = z.enum(['accepted', 'rejected']).meta({ id: 'DisputeOutcome' });

/** The body of opening a dispute. */
export const OpenDispute = z
  .strictObject({
    call_ids: z
      .array(uuidField)
      .max(CALLS_MAX)
      .refine((ids) => new Set(ids).size === ids.length, 'Each call at most once')
      .meta({
        description:
          'Calls of the account, each in at most one open dispute. Empty: it is about a request ' +
          'that is missing here, and the reason says which.',
      }),
    reason: textField(TEXT_LENGTH).meta({ description: 'What is wrong with them.' }),
  })
  .meta({ id: 'OpenDispute' });
export type OpenDispute = z.output<typeof OpenDispute>;

/** The body of resolving a dispute. */
export const ResolveDispute = z
  .strictObject({
    outcome: DisputeOutcome.meta({ description: '`accepted`: the calls are given back.' }),
    answer: textField(TEXT_LENGTH).meta({
      description: 'The customer reads it, and a credit note prints it.',
    }),
  })
  .meta({ id: 'ResolveDispute' });

const Status = z.enum(['open', 'accepted', 'rejected']).meta({ id: 'DisputeStatus' });

/** A dispute, with what both sides said. */
export const Dispute = z
  .strictObject({
    id: z.uuid(),
    account_id: z.uuid(),
    account_name: z.string().nullable().optional().meta({
      description: 'In lists over all accounts; null: erased.',
    }),
    call_ids: z.array(z.uuid()),
    disputed_credits: z.int().meta({ description: 'What the calls were charged.' }),
    reason: z.string().nullable().meta({ description: 'Null once the account is erased.' }),
    status: Status,
    opened_at: z.iso.datetime(),
    answer: z.string().nullable().meta({ description: 'Null while it is open.' }),
    given_back_credits: z.int().meta({
      description: 'Given back with the answer, without calls that were given back before.',
    }),
    resolved_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Dispute' });

const FILTERS = {
  status: Status.optional().meta({ description: 'Only disputes in this status.' }),
  call_id: uuidField.optional().meta({ description: 'Only disputes of this call.' }),
} as const;

/** Which disputes of an account a list shows. */
export const DISPUTES_QUERY = z.strictObject({ ...PAGE_QUERY, ...FILTERS });

/** Which disputes of all accounts a list shows. */
export const ALL_DISPUTES_QUERY = z.strictObject({
  ...LIST_QUERY,
  ...FILTERS,
  account_id: OF_ALL.account_id,
});

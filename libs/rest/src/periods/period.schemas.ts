import { z } from 'zod';
import { textField } from '#web/body-fields.js';

const file = z.strictObject({
  sha256: z.string().meta({ description: 'Of the bytes, in hexadecimal.' }),
  bytes: z.int(),
});

/** An accounting period that was closed. */
export const Period = z
  .strictObject({
    month: z.string(),
    status: z.enum(['closed', 'reopened']).meta({ id: 'PeriodStatus' }),
    at: z.iso.datetime().meta({ description: 'When it was closed or reopened.' }),
    by: z.string().meta({ description: 'Who did: the token, as in the audit.' }),
    reason: z.string().nullable(),
    files: z.strictObject({ journal: file, csv: file, jsonl: file, zip: file }).meta({
      description: 'The exports by `issued_month`, without test accounts, as of the close.',
    }),
  })
  .meta({ id: 'Period' });
export type Period = z.output<typeof Period>;

/** The body of a close or a reopening. */
export const ChangePeriod = z
  .strictObject({
    reason: textField(500).meta({ description: 'Why; it is kept in the log and in the audit.' }),
  })
  .meta({ id: 'ChangePeriod' });

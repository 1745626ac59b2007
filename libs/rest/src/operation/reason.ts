import { z } from 'zod';
import { textField } from '#web/body-fields.js';

/** Why something is changed. */
export const reasonField = textField(500)
  .optional()
  .meta({ description: 'Why; it is kept in the log.' });

/** The body of changes that take no more than a reason, and not even that. */
export const Reason = z.strictObject({ reason: reasonField }).meta({ id: 'Reason' });
export type Reason = z.output<typeof Reason>;

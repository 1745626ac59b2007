import { z } from 'zod';
import { textField } from '#web/body-fields.js';

/** The body of changes that take no more than a reason, and not even that. */
export const Reason = z
  .strictObject({ reason: textField(500).optional() })
  .meta({ id: 'Reason', examples: [{ reason: 'Asked for by the customer.' }] });
export type Reason = z.output<typeof Reason>;

import { z } from 'zod';
import { textField } from '#web/body-fields.js';

/** Body of changes that need no more than a reason, and not even that. */
export const reasonBody = z.strictObject({ reason: textField(500).optional() });

export type ReasonBody = z.output<typeof reasonBody>;

import { z } from 'zod';
import { textField } from '#web/body-fields.js';

/** Body of an acknowledgement: somebody has looked, and says what was found or done. */
export const acknowledgeLossBody = z.strictObject({ reason: textField(500) });

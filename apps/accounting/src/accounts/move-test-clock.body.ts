import { z } from 'zod';
import { instantField } from '#web/body-fields.js';

/** Body of `POST /accounts/{id}/test-clock`. */
export const moveTestClockBody = z.strictObject({ now: instantField });

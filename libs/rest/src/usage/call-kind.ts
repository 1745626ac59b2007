import { z } from 'zod';

/** Whether a call is the first of its key in a window, or a later one. */
export const CallKind = z.enum(['base', 'repeat']).meta({ id: 'CallKind' });

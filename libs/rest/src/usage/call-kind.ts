import { z } from 'zod';

/**
 * Whether a call is the first of its key in a window, or a later one; `each`: of a rate card that
 * has no repeats.
 */
export const CallKind = z.enum(['base', 'repeat', 'each']).meta({ id: 'CallKind' });

import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { parseDate } from '#calendar/civil-date.js';
import { parseInstant } from '#calendar/instant.js';

const FORM = 'A time like 2026-11-24T00:00:00Z or a date like 2026-11-24';

/** A query parameter that names a moment: RFC 3339, or a date for its beginning in the billing zone. */
export function momentParameter(calendar: Calendar) {
  return z.string().transform((text, context): number => {
    const date = parseDate(text) !== undefined;
    const moment = date ? calendar.startOfDate(text) : parseInstant(text);
    if (moment !== undefined) return moment;
    context.addIssue({ code: 'custom', message: FORM });
    return z.NEVER;
  });
}

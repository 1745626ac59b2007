import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { PAGE_QUERY } from '#web/query.js';

const LATEST = 'latest';

/** The query of the list of a window's keys. `latest` and nothing mean the running window. */
export function windowsQuery(calendar: Calendar) {
  const exists = (label: string): boolean =>
    label === LATEST || calendar.windowOf(label) !== undefined;
  return z.object({
    ...PAGE_QUERY,
    window: z
      .string()
      .refine(exists, 'The label of a week, like 2026w47, or "latest"')
      .default(LATEST)
      .transform((label) => (label === LATEST ? null : label)),
  });
}

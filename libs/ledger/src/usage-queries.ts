import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { parseDate } from '#calendar/civil-date.js';
import { parseInstant } from '#calendar/instant.js';
import { isWindowLabel } from '#calendar/window-label.js';
import { PAGE_QUERY } from '#web/query.js';
import { isUuid } from '#web/uuid.js';
import type { CallFilter } from './account-reads.js';

const LATEST = 'latest';
const MOMENT = 'A time like 2026-11-24T00:00:00Z or a date like 2026-11-24';
const TAG = /^([a-z0-9_-]{1,32})(?:=([A-Za-z0-9 _.-]{1,64}))?$/;

/** Query of a list of a window's keys. `latest` and nothing mean the running window. */
export const windowsQuery = z.strictObject({
  ...PAGE_QUERY,
  window: z
    .string()
    .refine(
      (label) => label === LATEST || isWindowLabel(label),
      'The label of a week, like 2026w47, or "latest"',
    )
    .default(LATEST)
    .transform((label) => (label === LATEST ? null : label)),
});

/** A parameter that names a moment: RFC 3339, or a date for its beginning in the billing zone. */
function momentParameter(calendar: Calendar) {
  return z.string().transform((text, context): number => {
    const date = parseDate(text) !== undefined;
    const moment = date ? calendar.startOfDate(text) : parseInstant(text);
    if (moment !== undefined) return moment;
    context.addIssue({ code: 'custom', message: MOMENT });
    return z.NEVER;
  });
}

/** Query of a list of calls. */
export function callsQuery(calendar: Calendar) {
  return z.strictObject({
    ...PAGE_QUERY,
    order: z.enum(['asc', 'desc']).default('asc'),
    from: momentParameter(calendar).optional(),
    to: momentParameter(calendar).optional(),
    resource_key: z
      .string()
      .regex(/^\/v1\//, 'A key as in an answer, "/v1/…"')
      .max(8192)
      .optional(),
    kind: z.enum(['base', 'repeat']).optional(),
    api_key_id: z.string().refine(isUuid, 'A UUID').toLowerCase().optional(),
    tag: z.string().regex(TAG, 'A tag "name" or "name=value"').optional(),
  });
}

/** What was asked for, as the reads take it. */
export function toCallFilter(query: z.output<ReturnType<typeof callsQuery>>): CallFilter {
  const [, name = '', value] = TAG.exec(query.tag ?? '') ?? [];
  return {
    after: query.after ?? null,
    limit: query.limit,
    order: query.order,
    from: query.from ?? null,
    to: query.to ?? null,
    resourceKey: query.resource_key ?? null,
    kind: query.kind ?? null,
    apiKeyId: query.api_key_id ?? null,
    tag: query.tag === undefined ? null : { name, value: value ?? null },
  };
}

import { z } from 'zod';
import { parseDate } from '#calendar/civil-date.js';
import type { Calendar } from '#calendar/calendar.js';
import { parseInstant } from '#calendar/instant.js';
import { isWindowLabel } from '#calendar/window-label.js';
import { PAGE_QUERY } from '#web/query.js';
import { isUuid } from '#web/uuid.js';

const LATEST = 'latest';
const TAG = /^([a-z0-9_-]{1,32})(?:=([A-Za-z0-9 _.-]{1,64}))?$/;

/** Query of lists that take no filter. */
export const pageQuery = z.strictObject(PAGE_QUERY);

/** Query of `GET /accounts`. */
export const accountsQuery = z.strictObject({
  ...PAGE_QUERY,
  test: z.enum(['true', 'false']).optional(),
  status: z.enum(['active', 'suspended']).optional(),
});

/** Query of `GET /accounts/{id}/windows`; `latest` and nothing mean the running window. */
export const windowsQuery = z.strictObject({
  ...PAGE_QUERY,
  window: z
    .string()
    .refine(
      (label) => label === LATEST || isWindowLabel(label),
      'The label of a week, such as 2026w47, or "latest"',
    )
    .default(LATEST)
    .transform((label) => (label === LATEST ? null : label)),
});

/** Query of `GET /accounts/{id}/calls`; a bare date begins at midnight of the billing zone. */
export function callsQuery(calendar: Calendar) {
  const moment = z.string().transform((text, context) => {
    const instant = parseDate(text) === undefined ? parseInstant(text) : calendar.startOfDate(text);
    if (instant !== undefined) return instant;
    context.addIssue('A date such as 2026-11-24, or a moment as in RFC 3339');
    return z.NEVER;
  });
  return z.strictObject({
    ...PAGE_QUERY,
    order: z.enum(['asc', 'desc']).default('asc'),
    from: moment.optional(),
    to: moment.optional(),
    resource_key: z
      .string()
      .regex(/^\/v1\//, 'A key as in an answer, /v1/…')
      .max(8192)
      .optional(),
    kind: z.enum(['base', 'repeat']).optional(),
    api_key_id: z.string().refine(isUuid, 'This is no UUID').toLowerCase().optional(),
    tag: z.string().transform(readTag).optional(),
  });
}

export type CallsQuery = z.output<ReturnType<typeof callsQuery>>;

function readTag(
  text: string,
  context: z.core.$RefinementCtx<string>,
): { readonly name: string; readonly value: string | null } {
  const [, name, value] = TAG.exec(text) ?? [];
  if (name !== undefined) return { name, value: value ?? null };
  context.addIssue('The name of a tag, or a tag as name=value');
  return z.NEVER;
}

import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import type { CallFilter } from '#ledger/account-reads.js';
import { PAGE_QUERY } from '#web/query.js';
import { isUuid } from '#web/uuid.js';
import { momentParameter } from './moment-parameter.js';

const TAG = /^([a-z0-9_-]{1,32})(?:=([A-Za-z0-9 _.-]{1,64}))?$/;

/** The query of a list of calls. */
export function callsQuery(calendar: Calendar) {
  return z.object({
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

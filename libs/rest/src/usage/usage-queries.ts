import { USAGE_DIMENSIONS, type TagDimension } from '#projections/views/usage-dimension.js';
import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { parseDate } from '#calendar/civil-date.js';
import { parseInstant } from '#calendar/instant.js';
import { isWindowLabel } from '#calendar/window-label.js';
import { windowOfKey } from '#rating/key-parts.js';
import { LIST_QUERY } from '#web/query.js';
import { isUuid } from '#web/uuid.js';
import { WINDOW_ORDERS } from '#projections/views/account-reads.js';
import { Region, ResourceName } from '../operation/resource.schemas.js';
import { CallKind } from './call-kind.js';

const LATEST = 'latest';
export const TEXT = { type: 'string' } as const;
export const RFC_3339 = 'RFC 3339, or a date for its first instant in the billing time zone';
const MOMENT = 'A time like 2026-11-24T00:00:00Z or a date like 2026-11-24';
/** A tag by its name, or by name and value. */
export const TAG = /^([a-z0-9_-]{1,32})(?:=([A-Za-z0-9 _.-]{1,64}))?$/;

export type UsageQueries = ReturnType<typeof usageQueries>;
/** A query, read by one of the schemas. */
export type Asked<Name extends keyof UsageQueries> = z.output<UsageQueries[Name]>;

/** Queries of what is asked of an account, in the billing zone of a calendar. */
export function usageQueries(calendar: Calendar) {
  const moment = momentParameter(calendar).optional();
  const between = {
    from: moment.meta({ description: `Calls from that moment on: ${RFC_3339}.`, schema: TEXT }),
    to: moment.meta({ description: `Calls before that moment: ${RFC_3339}.`, schema: TEXT }),
  };
  const asOf = moment.meta({
    description: `What had happened, and fallen due, by that moment of the account: ${RFC_3339}.`,
    schema: TEXT,
  });
  return {
    account: z.strictObject({ as_of: asOf }),
    windows: z.strictObject({
      ...LIST_QUERY,
      window,
      order: z
        .enum(WINDOW_ORDERS)
        .default('key')
        .meta({ description: 'By key, or the most expensive first.' }),
      as_of: asOf,
    }),
    usage: inOrder(
      z.strictObject({
        ...LIST_QUERY,
        ...between,
        by: dimensions(USAGE_DIMENSIONS, isTagDimension),
        ...CALL_MATCH,
        as_of: asOf,
      }),
    ),
    calls: inOrder(z.strictObject({ ...LIST_QUERY, ...between, ...CALL_MATCH })),
  };
}

/** The same query with "from" never later than "to": nothing lies in between, so it is a slip. */
export function inOrder<Shape extends z.ZodRawShape>(
  query: z.ZodObject<Shape>,
): z.ZodObject<Shape> {
  const message = '"from" is later than "to"';
  // Reported beside all faults of the other parameters.
  const when = (): boolean => true;
  return query
    .refine(isInOrder, { path: ['from'], message, when })
    .refine(isInOrder, { path: ['to'], message, when });
}

function isInOrder(asked: object): boolean {
  const { from, to } = asked as { readonly from?: unknown; readonly to?: unknown };
  return typeof from !== 'number' || typeof to !== 'number' || from <= to;
}

/** A parameter that names a moment: RFC 3339, or a date for its beginning in the billing zone. */
export function momentParameter(calendar: Calendar) {
  return z.string().transform((text, context): number => {
    const date = parseDate(text) !== undefined;
    const moment = date ? calendar.startOfDate(text) : parseInstant(text);
    if (moment !== undefined) return moment;
    context.addIssue({ code: 'custom', message: MOMENT });
    return z.NEVER;
  });
}

/** No key says `latest`: it would be another one each week. */
function isKeyOfWindow(text: string): boolean {
  return text.startsWith('/v1/') && isWindowLabel(windowOfKey(text));
}

/** `latest` and nothing mean the running window. */
const window = z
  .string()
  .refine(
    (label) => label === LATEST || isWindowLabel(label),
    'The label of a week, like 2026w47, or "latest"',
  )
  .default(LATEST)
  .transform((label) => (label === LATEST ? null : label))
  .meta({
    description: 'Label of a window. Without it, or with `latest`: the running window.',
    schema: TEXT,
  });

/** The value of one tag. */
const TAG_DIMENSION = 'tag:NAME';

function isTagDimension(name: string): name is TagDimension {
  const [, tag, value] = TAG.exec(name.slice('tag:'.length)) ?? [];
  return name.startsWith('tag:') && tag !== undefined && value === undefined;
}

/** Dimensions of sums; none: one sum of all. `isTag`: whether one is the value of a tag. */
export function dimensions<Name extends string, Tag extends string = never>(
  all: readonly Name[],
  isTag?: (name: string) => name is Tag,
) {
  const known = [...all, ...(isTag === undefined ? [] : [TAG_DIMENSION])];
  const isKnown = (name: string): name is Name | Tag =>
    all.some((each) => each === name) || isTag?.(name) === true;
  return z
    .string()
    .transform((text, context): readonly (Name | Tag)[] => {
      const names = text === '' ? [] : text.split(',');
      const found = names.filter(isKnown);
      if (found.length < names.length) {
        const isByTag = isTag !== undefined && names.some((name) => /^tags?\b/.test(name));
        if (isByTag) context.addIssue({ code: 'custom', message: BY_NAME });
        else context.addIssue({ code: 'invalid_value', values: known, input: text });
      } else if (new Set(names).size < names.length) {
        context.addIssue({ code: 'custom', message: 'Each is named once at most' });
      }
      return found;
    })
    .default([])
    .meta({
      description: `What sums are grouped by, separated by commas; without it there is one sum of all: ${known.join(', ')}.`,
      schema: TEXT,
    });
}

/** A call may have several tags: sums by any of them would count it several times. */
const BY_NAME =
  'Tags are grouped by name: "tag:team" is the value of the tag "team", "tags" are all tags of a call';

/** Conditions on calls, the same wherever calls are listed or summed. */
export const CALL_MATCH = {
  resource: ResourceName.optional().meta({ description: 'Only calls of this resource.' }),
  region: Region.optional().meta({ description: 'Only calls for this region.' }),
  rule: z.string().min(1).max(100).optional().meta({
    description: 'Only calls that this rule of a rate card priced, by its name.',
    schema: TEXT,
  }),
  resource_key: z
    .string()
    .refine(isKeyOfWindow, 'A key with the label of its week, as in an answer: "/v1/2026w47/…"')
    .max(8192)
    .optional()
    .meta({
      description:
        'Only calls of this key, as in `key` of an answer: with the label of a week in place of `latest`.',
      schema: TEXT,
    }),
  kind: CallKind.optional().meta({ description: 'Only calls of this kind.' }),
  api_key_id: z
    .string()
    .refine(isUuid, 'A UUID')
    .toLowerCase()
    .optional()
    .meta({
      description: 'Only calls with this API key.',
      schema: { type: 'string', format: 'uuid' },
    }),
  tag: z.string().regex(TAG, 'A tag "name" or "name=value"').optional().meta({
    description: 'Calls with that tag: its name, or `name=value`.',
    schema: TEXT,
  }),
} as const;

export type CallMatchQuery = z.output<z.ZodObject<typeof CALL_MATCH>>;

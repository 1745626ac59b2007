import type { Header } from '#web/openapi-document.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csvTable, type Column } from '#web/csv.js';
import {
  NO_STORE,
  sendJson,
  sendJsonText,
  sendList,
  sendPage,
  type List,
  type Table,
} from '#web/table-answer.js';
import { examplesOf } from './examples.js';
import type { View } from './frozen.js';

/** How the view of an outcome is sent, and how documents show it. */
export interface Answer<Sent> {
  readonly status: 200 | 201 | 202 | 204;
  /** Of the body as JSON; null: it has none. */
  readonly schema: z.ZodType | null;
  /** Other media types that the body can be had as. */
  readonly types?: readonly string[];
  /** Examples of some media types. */
  readonly examples?: Readonly<Record<string, string>>;
  /** Whether `Link` may lead to the page after. */
  readonly isPaged?: boolean;
  /** Headers of its own. */
  readonly headers?: Readonly<Record<string, Header>>;
  /** Whose validator the `ETag` is. */
  readonly validator?: 'account' | 'own';
  /** Whether it sets a cookie. */
  readonly setsCookie?: boolean;
  /** Whether it may go on after its answer, which is 202 then. */
  readonly mayGoOn?: boolean;
  send(
    this: void,
    request: FastifyRequest,
    reply: FastifyReply,
    view: Sent,
    query: unknown,
  ): void | Promise<void>;
}

type AnswerOptions = Pick<Answer<unknown>, 'validator' | 'setsCookie' | 'mayGoOn'>;

/** 200 with one value. */
export function ok<Schema extends z.ZodType>(
  schema: Schema,
  further: AnswerOptions = {},
): Answer<View<Schema>> {
  return { status: 200, schema, ...further, send: sendJson };
}

/** 201 with what was made. */
export function created<Schema extends z.ZodType>(
  schema: Schema,
  further: AnswerOptions = {},
): Answer<View<Schema>> {
  return { status: 201, schema, ...further, send: sendJson };
}

/** 202 with what has begun. */
export function started<Schema extends z.ZodType>(schema: Schema): Answer<View<Schema>> {
  return { status: 202, schema, send: sendJson };
}

/** 200 with a value whose JSON is there already. */
export function jsonText(schema: z.ZodType): Answer<string> {
  return { status: 200, schema, send: sendJsonText };
}

/** 204. */
export const NOTHING: Answer<null> = {
  status: 204,
  schema: null,
  send: (_request, reply) => void reply.header('cache-control', NO_STORE).send(),
};

/** 200 with a page of a list. */
export function page<Schema extends z.ZodType>(
  item: Schema,
  further: AnswerOptions = {},
): Answer<Table<View<Schema>>> {
  return { status: 200, schema: listOf(item), isPaged: true, ...further, send: sendPage };
}

/**
 * 200 with a page of a list; as CSV and without a `limit` the whole list. `shown`: the query that
 * the example of the list answers, where its columns depend on it.
 */
export function table<Schema extends z.ZodType, Query>(
  item: Schema,
  columns: (query: Query) => readonly Column<View<Schema>>[],
  shown?: Query,
): Answer<List<View<Schema>>> {
  const rows = examplesOf(item);
  return {
    status: 200,
    schema: listOf(item),
    types: ['text/csv'],
    examples: { 'text/csv': csvTable(columns(shown as Query), rows) },
    isPaged: true,
    send: (request, reply, list, query) =>
      sendList(request, reply, (query as { limit?: number }).limit, columns(query as Query), list),
  };
}

/** An answer that sends itself. */
export type Sending = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** 200 with what sends itself: as JSON of this schema, or as one of these media types. */
export function sending(
  schema: z.ZodType | null,
  types: readonly string[],
  examples: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, Header>> = {},
): Answer<Sending> {
  const send: Answer<Sending>['send'] = (request, reply, view) => view(request, reply);
  return { status: 200, schema, types, examples, headers, send };
}

const lists = new WeakMap<z.ZodType, z.ZodType>();

/** A page of a list. Its name is that of its items with `List` behind. */
function listOf(item: z.ZodType): z.ZodType {
  const known = lists.get(item);
  if (known !== undefined) return known;
  const { id } = item.meta() ?? {};
  const examples = examplesOf(item);
  if (id === undefined) throw new Error('The items of a list have a schema with a name.');
  const list = z
    .strictObject({
      items: z.array(item),
      next: z.string().nullable().meta({ description: 'The cursor for `after`; null at the end.' }),
    })
    .meta({
      id: `${id}List`,
      ...(examples.length > 0 && { examples: [{ items: examples, next: null }] }),
    });
  lists.set(item, list);
  return list;
}

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Column, csvHeader, csvRows, csvTable } from './csv.js';
import { preferredType } from './negotiation.js';
import { ProblemException, problem } from './problem.js';
import { Places } from './places.js';
import { PAGE_ROWS } from './query.js';
import { FairQueue } from './fair-queue.js';
import { takePlace } from './whole-lists.js';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';
/** Rows that are written without a break. */
const PIECE_ROWS = 100;
/** The media type of a table, as it is sent. */
export const CSV = 'text/csv; charset=utf-8; header=present';
export const NO_STORE = 'no-store';
/** Where whole lists are read, a batch at a time: readers of all accounts share it. */
const batchPlaces = new Places(1);

export interface Table<Row> {
  readonly items: readonly Row[];
  /** Cursor of the page after; null at the end. */
  readonly next: string | null;
}

/** A list that can be had page by page, and whole. */
export interface List<Row> {
  readonly page: (limit: number) => Promise<Table<Row>>;
  /** All rows, some at a time. */
  readonly whole: () => Promise<AsyncIterable<readonly Row[]>>;
}

/** Throws a ProblemException (`not-acceptable`) unless the client takes one of the types. */
export function negotiate<Offer extends string>(
  request: FastifyRequest,
  offers: readonly Offer[],
): Offer {
  const type = preferredType(request.headers.accept, offers);
  if (type !== undefined) return type;
  const detail = `The answer is available as ${offers.join(' or ')}.`;
  throw new ProblemException(problem('not-acceptable', detail, { available: offers }));
}

/** Sends a value as JSON that nobody keeps. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, value: unknown): void {
  sendJsonText(request, reply, JSON.stringify(value));
}

/** The same for a value whose JSON is there already. */
export function sendJsonText(request: FastifyRequest, reply: FastifyReply, text: string): void {
  negotiate(request, [JSON_TYPE]);
  sendText(reply, 'application/json; charset=utf-8', text);
}

/** Sends a page of a list as JSON with a Link to the next. */
export function sendPage<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Table<Row>,
): void {
  linkNext(request, reply, page);
  sendJson(request, reply, page);
}

/**
 * Sends a page of a list as JSON or, where the client prefers it, as CSV with a Link to the next.
 * `further` members stand in the JSON only.
 */
export function sendTable<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  table: Table<Row>,
  columns: readonly Column<Row>[],
  further: Readonly<Record<string, unknown>> = {},
): void {
  const type = negotiate(request, [JSON_TYPE, CSV_TYPE]);
  linkNext(request, reply, table);
  void reply.header('vary', 'Authorization, Accept');
  if (type === CSV_TYPE) {
    sendText(reply, CSV, csvTable(columns, table.items));
  } else
    sendText(reply, 'application/json; charset=utf-8', JSON.stringify({ ...table, ...further }));
}

/** The same for a long table that is there at once: others have their turn while it is written. */
export async function sendLongTable<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  items: readonly Row[],
  columns: readonly Column<Row>[],
  further: Readonly<Record<string, unknown>>,
): Promise<void> {
  const type = negotiate(request, [JSON_TYPE, CSV_TYPE]);
  void reply.header('vary', 'Authorization, Accept');
  const turns = new FairQueue();
  let text = type === CSV_TYPE ? csvHeader(columns) : '';
  for (const item of items) {
    if (type === CSV_TYPE) text += csvRows(columns, [item]);
    else text += `${text === '' ? '' : ','}${JSON.stringify(item)}`;
    await turns.pass();
  }
  if (type === CSV_TYPE) sendText(reply, CSV, text);
  else {
    const rest = JSON.stringify({ next: null, ...further }).slice(1);
    sendText(reply, 'application/json; charset=utf-8', `{"items":[${text}],${rest}`);
  }
}

/**
 * Sends a page of a list, or, as CSV and without a `limit`, all of it. What goes wrong before the
 * first rows is a problem; afterwards the connection is broken off, so that nobody takes a part for
 * the whole. A client that reads slowly, or goes away, stops the reading of further rows; one that
 * reads nothing for a minute is let go.
 */
export async function sendList<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number | undefined,
  columns: readonly Column<Row>[],
  list: List<Row>,
): Promise<void> {
  const type = negotiate(request, [JSON_TYPE, CSV_TYPE]);
  if (type === JSON_TYPE || limit !== undefined) {
    return sendTable(request, reply, await list.page(limit ?? PAGE_ROWS), columns);
  }
  takePlace(request, reply);
  const { rows, first } = await batchPlaces.run(async () => {
    const whole = (await list.whole())[Symbol.asyncIterator]();
    return { rows: whole, first: await whole.next() };
  });
  void reply.header('vary', 'Authorization, Accept').header('content-type', CSV);
  void reply.header('cache-control', NO_STORE).send(
    // The router reads what it is given for a HEAD to its end.
    Readable.from(request.method === 'HEAD' ? [] : csvPieces(columns, first, rows)),
  );
}

async function* csvPieces<Row>(
  columns: readonly Column<Row>[],
  first: IteratorResult<readonly Row[]>,
  rows: AsyncIterator<readonly Row[]>,
): AsyncGenerator<string> {
  const turns = new FairQueue();
  const next = () => batchPlaces.run(() => rows.next());
  try {
    yield csvHeader(columns);
    for (let batch = first; batch.done !== true; batch = await next()) {
      for (let index = 0; index < batch.value.length; index += PIECE_ROWS) {
        yield csvRows(columns, batch.value.slice(index, index + PIECE_ROWS));
        await turns.pass();
      }
    }
  } finally {
    await rows.return?.();
  }
}

/** A list that is whole when its pages are put together, `rows` at a time. */
export function pagedList<Row>(
  after: string | null,
  rows: number,
  read: (after: string | null, limit: number) => Promise<Table<Row>>,
): List<Row> {
  return {
    page: (limit) => read(after, limit),
    whole: async () => everyPage(await read(after, rows), (next) => read(next, rows)),
  };
}

async function* everyPage<Row>(
  first: Table<Row>,
  read: (after: string) => Promise<Table<Row>>,
): AsyncGenerator<readonly Row[]> {
  for (let page = first; ; page = await read(page.next)) {
    yield page.items;
    if (page.next === null) return;
  }
}

function sendText(reply: FastifyReply, type: string, text: string): void {
  void reply.header('content-type', type).header('cache-control', NO_STORE).send(text);
}

function linkNext(
  { url }: FastifyRequest,
  reply: FastifyReply,
  { next }: Pick<Table<unknown>, 'next'>,
): void {
  if (next === null) return;
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('after', next);
  void reply.header('link', `<${path}?${parameters.toString()}>; rel="next"`);
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Column, csvTable } from './csv.js';
import { preferredType } from './negotiation.js';
import { ProblemException, problem } from './problem.js';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';
export const NO_STORE = 'no-store';

export interface Table<Row> {
  readonly items: readonly Row[];
  /** Cursor of the page after; null at the end. */
  readonly next: string | null;
}

/** Throws a ProblemException (`not-acceptable`) unless the client takes one of the types. */
export function negotiate<Offer extends string>(
  request: FastifyRequest,
  offers: readonly Offer[],
): Offer {
  const type = preferredType(request.headers.accept, offers);
  if (type !== undefined) return type;
  const detail = `The answer can be had as ${offers.join(' or ')}.`;
  throw new ProblemException(problem('not-acceptable', detail, { available: offers }));
}

/** Sends a value as JSON that nobody keeps. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, value: unknown): void {
  negotiate(request, [JSON_TYPE]);
  sendText(reply, 'application/json; charset=utf-8', JSON.stringify(value));
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
  if (table.next !== null) reply.header('link', nextLink(request.url, table.next));
  void reply.header('vary', 'Authorization, Accept');
  if (type === CSV_TYPE) {
    sendText(reply, 'text/csv; charset=utf-8; header=present', csvTable(columns, table.items));
  } else
    sendText(reply, 'application/json; charset=utf-8', JSON.stringify({ ...table, ...further }));
}

function sendText(reply: FastifyReply, type: string, text: string): void {
  void reply.header('content-type', type).header('cache-control', NO_STORE).send(text);
}

function nextLink(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('after', cursor);
  return `<${path}?${parameters.toString()}>; rel="next"`;
}

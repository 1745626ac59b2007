import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NO_STORE } from '#web/table-answer.js';
import { takePlace } from '#web/whole-lists.js';
import { positionsText, type LogEnds } from './export-source.js';

/** A head of a file, and the first that had to be read for the rest. */
const FIRST_PIECES = 2;

export interface SentFile {
  readonly type: string;
  readonly name: string;
  /** How far the log was read for it. */
  readonly ends?: LogEnds;
}

/**
 * Sends what is made piece by piece. What goes wrong with the first of them is a problem;
 * afterwards the connection is broken off, so that nobody takes a part for the whole. A client that
 * reads slowly, or goes away, stops the making.
 */
export async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, name, ends }: SentFile,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  takePlace(request, reply);
  const rest = pieces[Symbol.asyncIterator]();
  const first: (string | Uint8Array)[] = [];
  for (let count = 0; count < FIRST_PIECES; count += 1) {
    const { done, value } = await rest.next();
    if (done === true) break;
    first.push(value);
  }
  void reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('vary', 'Authorization, Accept')
    .header('cache-control', NO_STORE);
  if (ends !== undefined) void reply.header('log-positions', positionsText(ends));
  // The router reads what it is given for a HEAD to its end.
  if (request.method === 'HEAD') await rest.return?.();
  void reply.send(Readable.from(request.method === 'HEAD' ? [] : together(first, rest)));
}

async function* together<Piece>(
  first: readonly Piece[],
  rest: AsyncIterator<Piece>,
): AsyncGenerator<Piece> {
  try {
    yield* first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

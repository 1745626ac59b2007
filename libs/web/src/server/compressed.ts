import type { ServerResponse } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, preferredCoding } from '../negotiation.js';

const gzipText = promisify(gzip);
const brotliText = promisify(brotliCompress);
/** Half of what the highest levels cost, and nearly as small. */
const GZIP = { level: 4 } as const;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } as const;
/** Shorter ones would hardly be fewer packets. */
const BYTES_MIN = 1_024;
const LISTS = /^(?:application\/(?:json|x-ndjson)|text\/csv)(?:;|$)/;

/**
 * The payload of an answer in the coding that the client prefers, with its headers. It is made in
 * the threads of zlib: calls that are charged meanwhile hardly wait. Answers that have a length, a
 * coding or a digest of their own already stay as they are.
 */
export async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || request.method === 'HEAD' || !isList(reply)) return payload;
  if (!(payload instanceof Readable) && !isLong(payload)) return payload;
  const coding = preferredCoding(request.headers['accept-encoding']?.toString(), false);
  void reply.header('vary', varyOf(reply));
  if (coding === undefined || coding === 'identity') return payload;
  void reply.header('content-encoding', coding);
  if (payload instanceof Readable) return piped(payload, coding, reply.raw);
  return coding === 'gzip' ? gzipText(payload, GZIP) : brotliText(payload, BROTLI);
}

function isList(reply: FastifyReply): boolean {
  const own = ['content-length', 'content-encoding', 'repr-digest'];
  if (own.some((name) => reply.hasHeader(name))) return false;
  return LISTS.test(String(reply.getHeader('content-type') ?? ''));
}

function isLong(payload: unknown): payload is string | Buffer {
  if (typeof payload === 'string') return payload.length >= BYTES_MIN;
  return Buffer.isBuffer(payload) && payload.length >= BYTES_MIN;
}

function varyOf(reply: FastifyReply): string {
  const vary = reply.getHeader('vary');
  return vary === undefined ? 'Authorization, Accept-Encoding' : `${String(vary)}, Accept-Encoding`;
}

/** An error among the rows breaks the answer off. */
function piped(
  rows: Readable,
  coding: Exclude<Coding, 'identity'>,
  response: ServerResponse,
): Transform {
  const coder = coding === 'gzip' ? createGzip(GZIP) : createBrotliCompress(BROTLI);
  return pipeline(rows, coder, (error) => void (error && response.destroy()));
}

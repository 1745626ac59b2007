import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemAnswer } from '../answer-headers.js';
import type { Problem } from '../problem.js';

/** Whether a refusal is the last answer of its connection: its address is beyond its limit. */
export function endsConnection({ headers }: Problem): boolean {
  return headers['connection'] === 'close';
}

/**
 * Refuses a request before any framework sees it, after `waitMs`. If the problem ends the
 * connection, what comes behind the request is thrown away from now on.
 */
export function reject(
  { method }: IncomingMessage,
  response: ServerResponse,
  refused: Problem,
  baseUrl: string,
  waitMs: number,
): void {
  if (endsConnection(refused)) response.shouldKeepAlive = false;
  const send = (): void => {
    const { status, headers, body } = problemAnswer(refused, baseUrl, randomUUID());
    response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
  };
  if (waitMs === 0) return send();
  const turn = setTimeout(send, waitMs);
  response.once('close', () => clearTimeout(turn));
}

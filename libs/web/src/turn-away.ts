import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemAnswer } from './answer-headers.js';
import type { Problem } from './problem.js';

/**
 * Refuses a request before any framework sees it and ends its connection: what comes behind it is
 * thrown away.
 */
export function turnAway(
  { method }: IncomingMessage,
  response: ServerResponse,
  refused: Problem,
  baseUrl: string,
): void {
  const { status, headers, body } = problemAnswer(refused, baseUrl, randomUUID());
  response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
}

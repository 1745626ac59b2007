import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemAnswer } from './answer-headers.js';
import type { Problem } from './problem.js';

const ignore = (): void => undefined;

/**
 * Refuses a request before any framework sees it and ends its connection: what comes behind it is
 * thrown away and no longer read as requests.
 */
export function turnAway(
  { method, socket }: IncomingMessage,
  response: ServerResponse,
  refused: Problem,
  baseUrl: string,
): void {
  const { status, headers, body } = problemAnswer(refused, baseUrl, randomUUID());
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.removeAllListeners('data').on('data', ignore));
  response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
}

import type { Server } from 'node:http';

/**
 * Answers clients that close their side of a connection once they have sent a request, as
 * `nc -N` does: what has arrived whole is charged. Node would drop the answer.
 */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

import { LogController, type FastifyRequest } from 'fastify';
import type { Log } from '../log.js';

const CLIENT_WENT_AWAY = 'ERR_STREAM_PREMATURE_CLOSE';

/** Logs answers that broke off half-way: it is too late for a problem then. */
export class StreamFaults extends LogController {
  constructor(private readonly log: Log) {
    super();
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest): void {
    if (error.code === CLIENT_WENT_AWAY) return;
    this.log.error({ err: error, requestId: request.id }, 'An answer broke off.');
  }
}

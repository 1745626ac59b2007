import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Made } from '#deciding/changes/made.js';
import { NO_STORE, sendJson } from '#web/table-answer.js';

/** Answers 201; `location` is the address of what was made, where it has one. */
export function sendCreated<View>(
  request: FastifyRequest,
  reply: FastifyReply,
  { view, replayed }: Made<View>,
  location?: (view: View) => string,
): void {
  void reply.code(201);
  if (location !== undefined) void reply.header('location', location(view));
  markReplay(reply, replayed);
  sendJson(request, reply, view);
}

/** Answers 204. */
export function sendNothing(reply: FastifyReply, { replayed }: Made<null>): void {
  markReplay(reply, replayed);
  void reply.code(204).header('cache-control', NO_STORE).send();
}

function markReplay(reply: FastifyReply, replayed: boolean): void {
  if (replayed) void reply.header('idempotent-replayed', 'true');
}

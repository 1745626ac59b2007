import type { FastifyReply, FastifyRequest } from 'fastify';

const JSON_TYPE = /^application\/(?:[a-z.]+\+)?json\b/;

/** Ends a JSON answer with a line end: a shell's next prompt stands on a line of its own. */
export function endJsonLine(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isJson =
    typeof payload === 'string' && JSON_TYPE.test(String(reply.getHeader('content-type')));
  done(null, isJson && payload !== '' && !payload.endsWith('\n') ? `${payload}\n` : payload);
}

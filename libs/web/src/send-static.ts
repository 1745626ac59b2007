import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StaticDocument } from './static-document.js';

/** Sends a document that is the same for everybody, or that the client has it already. */
export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  document: StaticDocument,
): Promise<void> {
  const { status, headers, body } = await document.answer(request.headers);
  const isBodyless = status === 304 || request.method === 'HEAD';
  void reply
    .code(status)
    .headers(headers)
    .send(isBodyless ? undefined : body);
}

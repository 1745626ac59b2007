import type { FastifyRequest } from 'fastify';

/** Id of the token that the service was started with. */
export const OWNER = 'owner';

const operators = new WeakMap<FastifyRequest, string>();

/** Remembers which token a request was admitted with. */
export function admitOperator(request: FastifyRequest, tokenId: string): void {
  operators.set(request, tokenId);
}

/** The id of the token that a request was admitted with. */
export function operatorOf(request: FastifyRequest): string {
  const tokenId = operators.get(request);
  if (tokenId === undefined) throw new Error('This route admits requests without a token.');
  return tokenId;
}

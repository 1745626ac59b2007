import type { FastifyRequest } from 'fastify';
import type { Session } from './portal-session.js';

const sessions = new WeakMap<FastifyRequest, Session>();

/** Remembers the session that a request was admitted with. */
export function admitSession(request: FastifyRequest, session: Session): void {
  sessions.set(request, session);
}

/** The session that a request was admitted with. */
export function sessionOf(request: FastifyRequest): Session {
  const session = sessions.get(request);
  if (session === undefined) throw new Error('This route admits requests without a session.');
  return session;
}

/** The one account that a request may see: that of its session, whatever the request says. */
export function accountOf(request: FastifyRequest): string {
  return sessionOf(request).accountId;
}

import { problem, ProblemException } from '#web/problem.js';
import type { KeptSession } from './portal-session.js';

/** A 401 has to name a way in (RFC 9110, 11.6.1); browsers ask nobody for this one. */
const CHALLENGE = 'PortalLink realm="popindex"';

/** Why a link opens nothing. `kept`: what is known of it. */
export function refusedLink(kept: KeptSession | undefined): ProblemException {
  return refused('invalid-key', `${why(kept)} Ask for another link.`);
}

/** Nobody is signed in, or not any more. */
export function notSignedIn(): ProblemException {
  const detail = 'Nobody is signed in, or not any more: open the portal with a link.';
  return refused('unauthenticated', detail);
}

function why(kept: KeptSession | undefined): string {
  if (kept === undefined) return 'This link is unknown.';
  if (kept.revoked_at !== null) return 'This link was revoked.';
  return kept.redeemed_at === null ? 'This link has expired.' : 'This link was used before.';
}

function refused(slug: 'invalid-key' | 'unauthenticated', detail: string): ProblemException {
  return new ProblemException(problem(slug, detail, {}, { 'www-authenticate': CHALLENGE }));
}

import { problem, ProblemException } from '#web/problem.js';
import type { KeptSession } from './portal-session.js';

/** A 401 has to name a way in (RFC 9110, 11.6.1); browsers ask nobody for this one. */
const CHALLENGE = 'PortalLink realm="popindex"';

export type LinkFault = 'unknown' | 'revoked' | 'expired' | 'used';

const WHY: Readonly<Record<LinkFault, string>> = {
  unknown: 'This link is unknown.',
  revoked: 'This link was revoked.',
  expired: 'This link has expired.',
  used: 'This link was used before.',
};

/** Why a link opens nothing. */
export function refusedLink(fault: LinkFault): ProblemException {
  return refused('invalid-key', `${WHY[fault]} Ask for another link.`);
}

/** The fault of a link that opens nothing. `kept`: what is known of it. */
export function faultOf(kept: KeptSession | undefined): LinkFault {
  if (kept === undefined) return 'unknown';
  if (kept.revoked_at !== null) return 'revoked';
  return kept.redeemed_at === null ? 'expired' : 'used';
}

/** Nobody is signed in, or not any more. */
export function notSignedIn(): ProblemException {
  const detail = 'Nobody is signed in, or not any more: open the portal with a link.';
  return refused('unauthenticated', detail);
}

function refused(slug: 'invalid-key' | 'unauthenticated', detail: string): ProblemException {
  return new ProblemException(problem(slug, detail, {}, { 'www-authenticate': CHALLENGE }));
}

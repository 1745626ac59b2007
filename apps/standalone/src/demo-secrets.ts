import { randomUUID } from 'node:crypto';
import type { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import type { Credentials } from './banner.js';
import { DEMO_ACCOUNT_ID } from './demo-account.js';

const LINK_S = 900;

/** A link that opens the demo account's portal once, as its manager. */
async function demoPortalLink(sessions: PortalSessions): Promise<string> {
  const requestId = randomUUID();
  const reason = 'The service was started.';
  const change = { by: 'system', requestId, idempotencyKey: null, input: requestId, reason };
  const wanted = {
    role: 'manager',
    expires_in: LINK_S,
  } as const;
  const { view } = await sessions.open(DEMO_ACCOUNT_ID, change, wanted);
  if (view.url === undefined) throw new Error('The link to the demo account is without its token.');
  return view.url;
}

/**
 * Credentials of the demo account, as a terminal shows them. `apiKey`: null where there is no demo.
 */
export async function demoSecrets(
  apiKey: string | null,
  sessions: PortalSessions,
): Promise<Credentials['demo']> {
  if (apiKey === null) return null;
  return { apiKey, portal: `${await demoPortalLink(sessions)}   (works once, for 15 minutes)` };
}

import { after, given, HOUR, issueApiKey, openAccount, origin } from './scenario.suite.js';
import { ownEvent, revokeApiKey, TUESDAY, when } from './scenario.suite.js';
import type { EndApiKey } from './api-keys.js';
import type { OpenPortalSession, RevokePortalSession } from './portal-sessions.js';

const LINK: OpenPortalSession = {
  command: 'open-portal-session',
  origin,
  sessionId: 'session-1',
  role: 'viewer',
  hash: 'ab'.repeat(32),
  linkExpiresAt: TUESDAY + HOUR,
};
const REVOKE: RevokePortalSession = {
  command: 'revoke-portal-session',
  origin,
  sessionId: 'session-1',
};
const end = (expiresAt: number, keyId = 'key-1'): EndApiKey => ({
  command: 'end-api-key',
  origin,
  keyId,
  expiresAt,
  wasIssued: keyId === 'key-1',
});

describe('a link to the portal', () => {
  it('is recorded with its role and its hash, and changes nothing of the account but its version', () => {
    const state = given([TUESDAY, openAccount()]);
    const opened = ownEvent(when(state, TUESDAY, LINK), 'PortalSessionOpened');
    expect(opened.data).toEqual({
      ...origin,
      session_id: 'session-1',
      role: 'viewer',
      hash: 'ab'.repeat(32),
      link_expires_at: '2026-11-24T10:00:00Z',
    });
    expect(after(state, TUESDAY, LINK)).toEqual({ ...state, version: state.version + 1 });
  });

  it('opens no month that would have to be closed, and neither does its end', () => {
    const idle = { ...given([TUESDAY, openAccount()]), monthSince: null };
    const revoked = after(after(idle, TUESDAY, LINK), TUESDAY, REVOKE);
    expect(revoked.monthSince).toBeNull();
  });

  it('is made of no closed account, and can still be revoked there', () => {
    const closed = given([TUESDAY, openAccount()], [TUESDAY, { command: 'close-account', origin }]);
    const refusal = { reason: 'account-closed' };
    expect(when(closed, TUESDAY, LINK)).toEqual({ events: [], own: null, refusal });
    expect(when(closed, TUESDAY, REVOKE).refusal).toBeNull();
  });
});

describe('an API key that is to end', () => {
  const state = given([TUESDAY, openAccount()], [TUESDAY, issueApiKey()]);

  it('opens everything until then, and nothing afterwards', () => {
    const ending = after(state, TUESDAY, end(TUESDAY + HOUR));
    expect(ending.apiKeys).toMatchObject([{ expiresAt: TUESDAY + HOUR }]);
  });

  it('is left as it is when it ends before, or is revoked', () => {
    const ending = after(state, TUESDAY, end(TUESDAY + HOUR));
    expect(when(ending, TUESDAY, end(TUESDAY + 2 * HOUR))).toMatchObject({ own: null, events: [] });
    const revoked = after(state, TUESDAY, revokeApiKey('key-1'));
    expect(when(revoked, TUESDAY, end(TUESDAY + HOUR))).toMatchObject({ own: null, events: [] });
  });

  it('must be one of the account, and end in its future', () => {
    expect(when(state, TUESDAY, end(TUESDAY + 1, 'key-9')).refusal?.reason).toBe('not-found');
    expect(when(state, TUESDAY, end(TUESDAY)).refusal?.reason).toBe('conflict');
  });
});

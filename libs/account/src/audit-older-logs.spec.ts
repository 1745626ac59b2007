import { parseResourcePath } from '#rating/resource-path.js';
import { auditEvent, type AuditTerms } from './audit.js';
import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import { after, given, HOUR, issueApiKey, openAccount, origin } from './scenario.suite.js';
import { setBudget, terms, TUESDAY } from './scenario.suite.js';

const auditTerms: AuditTerms = {
  ...terms,
  resourceOf: (key) => {
    const parsed = parseResourcePath(key);
    return parsed.outcome === 'resource' ? parsed.resource : undefined;
  },
};

describe('a log of an older version', () => {
  it('may hold a portal link that was made of a closed account', () => {
    const closed = given([TUESDAY, openAccount()], [TUESDAY, { command: 'close-account', origin }]);
    const event: AccountEvent = {
      type: 'PortalSessionOpened',
      at: TUESDAY,
      data: {
        ...origin,
        session_id: 'session-1',
        role: 'viewer',
        hash: 'ab'.repeat(32),
        link_expires_at: '2026-11-24T10:00:00Z',
      },
    };
    expect(auditEvent(closed, event, false, auditTerms)).toBeNull();
  });

  it('may record that an API key was revoked, or got a budget, after it had expired', () => {
    const ending = issueApiKey({ expiresAt: TUESDAY + HOUR });
    const expired = given([TUESDAY, openAccount()], [TUESDAY, ending]);
    const at = TUESDAY + 2 * HOUR;
    const forgotten = after(expired, at, issueApiKey({ keyId: 'key-2' }));
    const revoked = (api_key: number): AccountEvent => {
      return { type: 'ApiKeyRevoked', at, data: { ...origin, api_key, key_id: 'key-1' } };
    };
    const { command: _command, budgetId, isNew: _isNew, apiKeyId: _id, ...said } = setBudget(9);
    const data = { ...said, ...origin, origin: undefined, budget_id: budgetId, api_key: 1 };
    const budget: AccountEvent = { type: 'BudgetSet', at, data };
    for (const state of [expired, forgotten]) {
      expect(auditEvent(state, revoked(1), false, auditTerms)).toBeNull();
      expect(auditEvent(state, budget, false, auditTerms)).toBeNull();
    }
    expect(evolve(forgotten, revoked(1)).apiKeys).toEqual(forgotten.apiKeys);
    expect(auditEvent(forgotten, revoked(3), false, auditTerms)).not.toBeNull();
  });
});

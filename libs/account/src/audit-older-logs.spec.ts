import { parseResourcePath } from '#rating/resource-path.js';
import { advance, evolveAll } from './advance.js';
import { auditEvent, type AuditTerms } from './audit.js';
import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import type { RefundBy } from './terms.js';
import {
  after,
  given,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  origin,
} from './scenario.suite.js';
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

  it('may hold purchased credits without a price', () => {
    const opened = given([TUESDAY, openAccount()]);
    const data = {
      ...origin,
      grant: 1,
      grant_id: 'grant-1',
      credits: 1_000,
      kind: 'purchased',
      price: null,
      expires_at: null,
      priority: 100,
      profile: null,
      repaid: 0,
      balance: 1_000,
    } as const;
    const event: AccountEvent = { type: 'CreditsGranted', at: TUESDAY, data };
    expect(auditEvent(opened, event, false, auditTerms)).toBeNull();
    expect(evolve(opened, event)).toMatchObject({ balance: 1_000, billing: { unbilled: [] } });
  });

  it('may hold the credit note of a purchase that was voided before its month was invoiced', () => {
    const monthly = { purchases: 'monthly', profile: { id: 'profile-2', sha256: 'cd' } } as const;
    const bought = given(
      [TUESDAY, openAccount()],
      [TUESDAY, { command: 'change-billing', origin, ...monthly }],
      [TUESDAY, grantCredits(1_000, { grantId: 'grant-1', price: 12_500 })],
    );
    const at = Date.UTC(2026, 11, 2);
    const closed = evolveAll(bought, advance(bought, at, terms.calendar));
    const voided = (refund_by: RefundBy): AccountEvent => {
      const gone = { grant: 1, grant_id: 'grant-1', credits: 1_000, left: 0, balance: 0 };
      return { type: 'GrantVoided', at, data: { ...origin, ...gone, refund: 12_500, refund_by } };
    };
    for (const by of ['credit_note', 'no_invoice'] as const) {
      expect(auditEvent(closed, voided(by), false, auditTerms)).toBeNull();
    }
    const { billing } = evolve(closed, voided('credit_note'));
    expect(billing.refunds).toEqual([{ grantId: 'grant-1', amount: 12_500 }]);
    expect(billing.unbilled).toMatchObject([{ grantId: 'grant-1', amount: 12_500 }]);
    expect(auditEvent(closed, voided('lower_invoice'), false, auditTerms)).not.toBeNull();
    expect(auditEvent(bought, voided('credit_note'), false, auditTerms)).not.toBeNull();
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

import { parseResourcePath } from '#rating/resource-path.js';
import { auditEvent, type AuditTerms } from './audit.js';
import type { AccountEvent } from './events.js';
import { given, openAccount, origin, terms, TUESDAY } from './scenario.suite.js';

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
});

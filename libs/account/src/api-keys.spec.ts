import { ACTIVE_API_KEYS_MAX, type IssueApiKey } from './api-keys.js';
import type { AccountState } from './state.js';
import type { Scope } from './terms.js';
import { after, given, HOUR, issueApiKey, openAccount, TUESDAY, when } from './scenario.suite.js';
import { revokeApiKey } from './scenario.suite.js';

const SCOPES: readonly Scope[] = ['data', 'account:read', 'account:write'];

/** As many active API keys as an account may have; `key-1` ends after an hour. */
function fullOfKeys(): AccountState {
  return Array.from({ length: ACTIVE_API_KEYS_MAX }).reduce<AccountState>(
    (state, _, index) => {
      const expiresAt = index === 0 ? TUESDAY + HOUR : null;
      return after(state, TUESDAY, issueApiKey({ keyId: `key-${index + 1}`, expiresAt }));
    },
    given([TUESDAY, openAccount()]),
  );
}

/** Every set of scopes. */
const SETS = SCOPES.reduce<readonly (readonly Scope[])[]>(
  (sets, scope) => sets.flatMap((set) => [set, [...set, scope]]),
  [[]],
);

/** Why a key with these scopes and this end gets no key like the other; null: it gets it. */
function refusalOf(own: Partial<IssueApiKey>, other: Partial<IssueApiKey>, at = TUESDAY) {
  const issuer = issueApiKey({ keyId: 'issuer', ...own });
  const state = given([TUESDAY, openAccount()], [TUESDAY, issuer]);
  return when(state, at, issueApiKey({ keyId: 'other', issuer: 'issuer', ...other })).refusal;
}

describe('an API key that asks for another one', () => {
  it.each(SETS.flatMap((own) => SETS.map((scopes) => [own, scopes] as const)))(
    'with the scopes %j gets one with %j if it has them all',
    (own, scopes) => {
      const [scope] = scopes.filter((one) => !own.includes(one));
      const lacks = scope === undefined ? null : { reason: 'scope-missing', scope };
      expect(refusalOf({ scopes: own }, { scopes })).toEqual(lacks);
    },
  );

  const [early, late] = [TUESDAY + HOUR, TUESDAY + 2 * HOUR];
  it.each([
    [null, null, true],
    [null, early, true],
    [early, early, true],
    [late, early, true],
    [early, late, false],
    [early, null, false],
  ])('that ends at %p gets one that ends at %p: %p', (expiresAt, other, isGiven) => {
    const refusal = refusalOf({ expiresAt }, { expiresAt: other });
    expect(refusal?.reason ?? null).toBe(isGiven ? null : 'conflict');
  });

  it('gets none once it is over', () => {
    const invalid = { reason: 'key-invalid' };
    expect(refusalOf({ expiresAt: early }, {}, early)).toEqual(invalid);
    const revoked = after(
      given([TUESDAY, openAccount()], [TUESDAY, issueApiKey({ keyId: 'issuer' })]),
      TUESDAY,
      revokeApiKey('issuer'),
    );
    expect(when(revoked, TUESDAY, issueApiKey({ issuer: 'issuer' })).refusal).toEqual(invalid);
  });
});

describe('the active API keys of an account', () => {
  const another = issueApiKey({ keyId: 'another' });

  it('are at most 100', () => {
    expect(when(fullOfKeys(), TUESDAY, another).refusal).toEqual({
      reason: 'conflict',
      detail: 'An account has at most 100 active API keys: revoke one first.',
    });
  });

  it('do not count those that are revoked or have expired', () => {
    const revoked = after(fullOfKeys(), TUESDAY, revokeApiKey('key-7'));
    expect(when(revoked, TUESDAY, another).refusal).toBeNull();
    expect(when(fullOfKeys(), TUESDAY + HOUR, another).refusal).toBeNull();
  });
});

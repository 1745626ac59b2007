import { ACTIVE_API_KEYS_MAX } from './decide-api-key.js';
import { after, given, HOUR, issueApiKey, openAccount, TUESDAY, when } from './scenario.suite.js';
import { revokeApiKey } from './scenario.suite.js';
import type { AccountState } from './state.js';

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

describe('the active API keys of an account', () => {
  const another = issueApiKey({ keyId: 'another' });

  it('are at most 100', () => {
    expect(when(fullOfKeys(), TUESDAY, another).refusal).toEqual({
      reason: 'conflict',
      detail: 'An account has at most 100 active API keys.',
    });
  });

  it('do not count those that are revoked or have expired', () => {
    const revoked = after(fullOfKeys(), TUESDAY, revokeApiKey('key-7'));
    expect(when(revoked, TUESDAY, another).refusal).toBeNull();
    expect(when(fullOfKeys(), TUESDAY + HOUR, another).refusal).toBeNull();
  });
});

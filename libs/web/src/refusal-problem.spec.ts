import type { Refusal } from '#account/refusal.js';
import { statusOf } from './problem.js';
import { accountingUnavailable, refusalProblem } from './refusal-problem.js';

const CALL = 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c01';
const PRICE = { requiredCredits: 35, kind: 'base' } as const;

describe('a refusal', () => {
  it.each<[Refusal, string, number, object]>([
    [{ reason: 'account-unknown' }, 'not-found', 404, {}],
    [{ reason: 'account-exists' }, 'conflict', 409, {}],
    [{ reason: 'account-suspended' }, 'account-suspended', 403, {}],
    [{ reason: 'key-invalid' }, 'invalid-key', 401, {}],
    [{ reason: 'scope-missing', scope: 'data' }, 'forbidden', 403, {}],
    [{ reason: 'too-late' }, 'accounting-unavailable', 503, {}],
    [{ reason: 'window-moved', window: '2026w48' }, 'accounting-unavailable', 503, {}],
    [{ reason: 'release-moved', release: 'r1' }, 'accounting-unavailable', 503, {}],
    [
      { reason: 'price-above-maximum', ...PRICE, maxCredits: 10 },
      'price-above-maximum',
      412,
      { required_credits: 35, max_credits: 10, kind: 'base' },
    ],
    [
      { reason: 'out-of-credits', ...PRICE, balance: -5, availableCredits: 0 },
      'out-of-credits',
      402,
      { required_credits: 35, balance: -5, available_credits: 0, kind: 'base' },
    ],
    [
      { reason: 'idempotency-key-used', callId: CALL },
      'idempotency-key-used',
      409,
      { call_id: CALL },
    ],
    [
      { reason: 'idempotency-conflict', callId: CALL },
      'idempotency-conflict',
      422,
      { call_id: CALL },
    ],
    [{ reason: 'idempotency-conflict' }, 'idempotency-conflict', 422, {}],
    [{ reason: 'version-moved', tag: '"7"' }, 'precondition-failed', 412, {}],
    [{ reason: 'billing-moved', version: 7 }, 'conflict', 409, {}],
    [{ reason: 'conflict', detail: 'It has begun.' }, 'conflict', 409, {}],
    [{ reason: 'not-found', detail: 'No such grant.' }, 'not-found', 404, {}],
  ])('%j becomes %s', (refusal, slug, status, members) => {
    const found = refusalProblem(refusal);
    expect([found.slug, statusOf(found), found.members]).toEqual([slug, status, members]);
  });

  it('that may be tried again says when, in whole seconds of at least 1', () => {
    expect(accountingUnavailable('', 0.2).headers).toEqual({ 'retry-after': '1' });
    expect(accountingUnavailable('', 2.1).headers).toEqual({ 'retry-after': '3' });
  });

  it('of a key names the scheme that is asked for', () => {
    expect(refusalProblem({ reason: 'key-invalid' }).headers).toEqual({
      'www-authenticate': 'Bearer realm="popindex", error="invalid_token"',
    });
  });
});

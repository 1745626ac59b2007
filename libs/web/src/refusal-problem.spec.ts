import type { Refusal } from '#account/refusal.js';
import { statusOf } from './problem.js';
import { accountingUnavailable, refusalProblem } from './refusal-problem.js';

const CALL = 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c01';
const FIRST = { at: Date.UTC(2026, 10, 24, 9), request: 'GET /v1/latest/x' };
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
    [
      { reason: 'idempotency-conflict', callId: CALL, first: FIRST },
      'idempotency-conflict',
      422,
      {
        call_id: CALL,
        first_request: 'GET /v1/latest/x',
        first_at: '2026-11-24T09:00:00.000Z',
      },
    ],
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

  it.each([
    [{}, 'another request: use'],
    [{ first: FIRST }, 'another request, GET /v1/latest/x of 2026-11-24T09:00:00.000Z: use'],
    [{ callId: CALL }, `another request, call ${CALL}: use`],
  ])('of an idempotency key says what it named: %j', (known, text) => {
    const { detail } = refusalProblem({ reason: 'idempotency-conflict', ...known });
    expect(detail).toBe(`The idempotency key names ${text} a new key for this one.`);
  });

  it('of a key names the scheme that is asked for', () => {
    expect(refusalProblem({ reason: 'key-invalid' }).headers).toEqual({
      'www-authenticate': 'Bearer realm="popindex", error="invalid_token"',
    });
  });
});

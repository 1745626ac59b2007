import { ConnectionError, ProblemError } from './problem-error.js';
import { retryAfterMs, retryDelayMs } from './retry.js';

const NOW = Date.parse('2026-11-24T00:00:00Z');

function refused(status: number, retryAfter?: string): ProblemError {
  const headers = new Headers(retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
  return new ProblemError({ code: 'x', title: 'x', status }, headers);
}

test('Retry-After is seconds or a date', () => {
  const ms = (text: string) => retryAfterMs(new Headers({ 'Retry-After': text }), NOW);
  expect(ms('5')).toBe(5_000);
  expect(ms('Tue, 24 Nov 2026 00:00:09 GMT')).toBe(9_000);
  expect(ms('Mon, 23 Nov 2026 00:00:00 GMT')).toBe(0);
  expect(ms('soon')).toBeNull();
  expect(retryAfterMs(new Headers(), NOW)).toBeNull();
});

test('without it each wait is twice as long, give or take a half', () => {
  for (let attempt = 1; attempt < 5; attempt += 1) {
    const waitMs = retryDelayMs(new ConnectionError('lost'), attempt) ?? 0;
    expect(waitMs).toBeGreaterThanOrEqual(125 * 2 ** (attempt - 1));
    expect(waitMs).toBeLessThanOrEqual(375 * 2 ** (attempt - 1));
  }
});

test('a refusal that would be repeated is not asked for again, nor is a bug', () => {
  expect([400, 402, 404, 409, 412, 422, 500].map((one) => retryDelayMs(refused(one), 1))).toEqual(
    Array.from({ length: 7 }, () => null),
  );
  expect(retryDelayMs(new TypeError('x'), 1)).toBeNull();
  expect([429, 503, 504].map((one) => retryDelayMs(refused(one, '2'), 1))).toEqual([
    2_000, 2_000, 2_000,
  ]);
});

import { hashEvent } from '#event-log/hash-chain.js';
import { headAfter, sha256 } from './event-heads.js';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';

test.each([
  ['a call', '0'.repeat(64), '0d9f3b0e-52c4-4f7e-8a86-4b1f0f1c9d2a', { key: '/v1/2026w47/é' }],
  ['what fell due', 'ab'.repeat(32), null, {}],
])('%s leads to the head that the log has', async (_, before, callId, data) => {
  const at = '2026-11-21T12:00:00.123Z';
  const event = { account_version: 7, call_id: callId, type: 'CallMade', at, data };
  const logged = hashEvent(before, {
    accountId: ACCOUNT,
    accountVersion: 7,
    callId,
    type: 'CallMade',
    at: Date.parse(at),
    data: JSON.stringify(data),
  });
  expect(await headAfter(before, ACCOUNT, event)).toBe(logged);
});

test('a digest is that of the bytes', async () => {
  expect(await sha256(new TextEncoder().encode('abc'))).toMatch(/^ba7816bf8f01cfea/);
});

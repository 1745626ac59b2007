import {
  admit,
  challenge,
  hello,
  prove,
  refusalText,
  refusedMessage,
  welcomed,
  type Challenge,
  type Proof,
} from './handshake.js';

const SECRET = 'a secret of thirty-two characters';
const OTHER_SECRET = 'a secret of thirty-two charactErs';
const API_NONCE = 'a1'.repeat(32);
const ACCOUNTING_NONCE = 'b2'.repeat(32);

function challenged(secret = SECRET): { reply: Challenge; expected: string } {
  const answer = challenge(secret, hello(API_NONCE), ACCOUNTING_NONCE);
  if ('refused' in answer) throw new Error(answer.refused);
  return answer;
}

function proven(): Proof {
  const answer = prove(SECRET, API_NONCE, challenged().reply);
  if ('refused' in answer) throw new Error(answer.refused);
  return answer.reply;
}

test('two sides with the same secret let each other in', () => {
  const answer = admit(challenged().expected, proven());
  expect(answer).toEqual({ reply: { kind: 'welcome' } });
  expect(welcomed({ kind: 'welcome' })).toEqual({});
});

test('the API side finds out first that the secrets differ, and proves nothing', () => {
  expect(prove(SECRET, API_NONCE, challenged(OTHER_SECRET).reply)).toEqual({ refused: 'secret' });
});

test('the accounting side lets nobody in who made the proof with another secret', () => {
  const answer = prove(OTHER_SECRET, API_NONCE, challenged(OTHER_SECRET).reply);
  if ('refused' in answer) throw new Error(answer.refused);
  expect(admit(challenged().expected, answer.reply)).toEqual({ refused: 'secret' });
});

test('a proof that was overheard is no good for another connection', () => {
  const later = challenge(SECRET, hello(API_NONCE), 'c3'.repeat(32));
  if ('refused' in later) throw new Error(later.refused);
  expect(admit(later.expected, proven())).toEqual({ refused: 'secret' });
});

test("the accounting side's own proof, sent back to it, is refused", () => {
  const { reply, expected } = challenged();
  expect(admit(expected, { kind: 'proof', proof: reply.proof })).toEqual({ refused: 'secret' });
});

const GOOD_HELLO = hello(API_NONCE);

test.each<[string, unknown, object]>([
  ['nothing', undefined, { refused: 'malformed' }],
  ['null', null, { refused: 'malformed' }],
  ['a list', [], { refused: 'malformed' }],
  ['another message', { kind: 'charge', id: 1 }, { refused: 'malformed' }],
  ['a newer version', { ...GOOD_HELLO, version: 2 }, { refused: 'version', version: 2 }],
  ['no version', { kind: 'hello', nonce: API_NONCE }, { refused: 'version', version: undefined }],
  ['a short nonce', { ...GOOD_HELLO, nonce: 'a1' }, { refused: 'malformed' }],
  ['a nonce in capitals', { ...GOOD_HELLO, nonce: 'A1'.repeat(32) }, { refused: 'malformed' }],
  ['an echoed nonce', { ...GOOD_HELLO, nonce: ACCOUNTING_NONCE }, { refused: 'malformed' }],
])('%s is no hello', (_name, message, refusal) => {
  expect(challenge(SECRET, message, ACCOUNTING_NONCE)).toEqual(refusal);
});

test.each<[string, (good: Challenge) => unknown, object]>([
  ['a hello', () => GOOD_HELLO, { refused: 'malformed' }],
  ['an older version', (good) => ({ ...good, version: 0 }), { refused: 'version', version: 0 }],
  ['an echoed nonce', (good) => ({ ...good, nonce: API_NONCE }), { refused: 'malformed' }],
  ['another nonce', (good) => ({ ...good, nonce: 'd4'.repeat(32) }), { refused: 'secret' }],
  ['no proof', (good) => ({ ...good, proof: undefined }), { refused: 'secret' }],
  ['a number as proof', (good) => ({ ...good, proof: 7 }), { refused: 'secret' }],
  ['half a proof', (good) => ({ ...good, proof: good.proof.slice(32) }), { refused: 'secret' }],
  ['a refusal', () => refusedMessage({ refused: 'secret' }), { refused: 'secret' }],
  [
    'a refusal of our version',
    () => ({ kind: 'refused', reason: 'version', version: 9 }),
    { refused: 'version', version: 9 },
  ],
])('the API side refuses %s as a challenge', (_name, change, refusal) => {
  expect(prove(SECRET, API_NONCE, change(challenged().reply))).toEqual(refusal);
});

test.each<[string, unknown, object]>([
  ['a charge', { kind: 'charge', id: 1 }, { refused: 'malformed' }],
  ['a proof of nothing', { kind: 'proof' }, { refused: 'secret' }],
  ['a proof of zeros', { kind: 'proof', proof: '0'.repeat(64) }, { refused: 'secret' }],
  ['a refusal', refusedMessage({ refused: 'secret' }), { refused: 'secret' }],
])('the accounting side refuses %s as a proof', (_name, message, refusal) => {
  expect(admit(challenged().expected, message)).toEqual(refusal);
});

test('only a welcome lets the API side in', () => {
  expect(welcomed({ kind: 'pong' })).toEqual({ refused: 'malformed' });
  expect(welcomed(refusedMessage({ refused: 'secret' }))).toEqual({ refused: 'secret' });
});

test('every refusal has words for the log that name what to look at', () => {
  expect(refusalText({ refused: 'secret' })).toContain('CHARGING_SECRET');
  expect(refusalText({ refused: 'version', version: 9 })).toContain('version 9');
  expect(refusalText({ refused: 'malformed' })).toContain('protocol');
});

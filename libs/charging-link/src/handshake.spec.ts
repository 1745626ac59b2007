import {
  admit,
  challenge,
  EARLIER_VERSION,
  hello,
  otherVersion,
  prove,
  PROTOCOL_VERSION,
  refusalText,
  refusedMessage,
  welcomed,
  type Challenge,
  type PendingProof,
  type Proof,
} from './handshake.js';

const SECRET = 'a secret of thirty-two characters';
const OTHER_SECRET = 'a secret of thirty-two charactErs';
const API_NONCE = 'a1'.repeat(32);
const ACCOUNTING_NONCE = 'b2'.repeat(32);

function challenged(secret = SECRET): PendingProof {
  const answer = challenge(secret, hello(API_NONCE), ACCOUNTING_NONCE);
  if ('refused' in answer) throw new Error(answer.refused);
  return answer;
}

const EARLIER_CHALLENGE: Challenge = {
  kind: 'challenge',
  version: EARLIER_VERSION,
  nonce: ACCOUNTING_NONCE,
};

function proven(secret = SECRET): { reply: Proof; expected: string } {
  const answer = prove(secret, API_NONCE, challenged().reply);
  if ('refused' in answer) throw new Error(answer.refused);
  return answer;
}

test('two sides with the same secret let each other in', () => {
  const { reply, expected } = proven();
  const answer = admit(challenged(), reply);
  if ('refused' in answer) throw new Error(answer.refused);
  expect(welcomed(expected, answer.reply)).toEqual({});
});

test('a challenge shows a nonce and nothing that was made with the secret', () => {
  const { reply } = challenged();
  expect(reply).toEqual({ kind: 'challenge', version: PROTOCOL_VERSION, nonce: ACCOUNTING_NONCE });
  expect(challenged(OTHER_SECRET).reply).toEqual(reply);
});

test('the accounting side lets nobody in who made the proof with another secret', () => {
  expect(admit(challenged(), proven(OTHER_SECRET).reply)).toEqual({ refused: 'secret' });
});

test('the API side asks nothing of a peer that welcomes it without the secret', () => {
  const { expected } = proven();
  const { own } = challenged(OTHER_SECRET);
  expect(welcomed(expected, { kind: 'welcome', proof: own })).toEqual({ refused: 'secret' });
  expect(welcomed(expected, { kind: 'welcome' })).toEqual({ refused: 'secret' });
});

test('a proof that was overheard is no good for another connection', () => {
  const later = challenge(SECRET, hello(API_NONCE), 'c3'.repeat(32));
  if ('refused' in later) throw new Error(later.refused);
  expect(admit(later, proven().reply)).toEqual({ refused: 'secret' });
});

test("the API side's own proof, sent back to it, is refused", () => {
  const { reply, expected } = proven();
  expect(welcomed(expected, { kind: 'welcome', proof: reply.proof })).toEqual({
    refused: 'secret',
  });
});

test('no proof of one version is good for the other', () => {
  const answer = prove(SECRET, API_NONCE, EARLIER_CHALLENGE, EARLIER_VERSION);
  if ('refused' in answer) throw new Error(answer.refused);
  expect(admit(challenged(), answer.reply)).toEqual({ refused: 'secret' });
});

test.each<[number, unknown, number | undefined]>([
  [3, 2, 2],
  [2, 3, 3],
  [3, 3, undefined],
  [3, 4, undefined],
  [3, 1, undefined],
  [3, 'two', undefined],
])('refused in version %s by a peer of version %s it asks again in %s', (ours, theirs, next) => {
  expect(otherVersion({ refused: 'version', version: theirs }, ours)).toBe(next);
});

test('a refusal for any other reason has no other version to try', () => {
  expect(otherVersion({ refused: 'secret' }, 2)).toBeUndefined();
});

const GOOD_HELLO = hello(API_NONCE);

test.each<[string, unknown, object]>([
  ['nothing', undefined, { refused: 'malformed' }],
  ['null', null, { refused: 'malformed' }],
  ['a list', [], { refused: 'malformed' }],
  ['another message', { kind: 'charge', id: 1 }, { refused: 'malformed' }],
  ['a newer version', { ...GOOD_HELLO, version: 4 }, { refused: 'version', version: 4 }],
  ['an older version', { ...GOOD_HELLO, version: 2 }, { refused: 'version', version: 2 }],
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
  ['half a nonce', (good) => ({ ...good, nonce: good.nonce.slice(32) }), { refused: 'malformed' }],
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
  ['a number as proof', { kind: 'proof', proof: 7 }, { refused: 'secret' }],
  ['half a proof', { kind: 'proof', proof: 'ab'.repeat(16) }, { refused: 'secret' }],
  ['a refusal', refusedMessage({ refused: 'secret' }), { refused: 'secret' }],
])('the accounting side refuses %s as a proof', (_name, message, refusal) => {
  expect(admit(challenged(), message)).toEqual(refusal);
});

test('only a welcome lets the API side in', () => {
  expect(welcomed('', { kind: 'pong' })).toEqual({ refused: 'malformed' });
  expect(welcomed('', refusedMessage({ refused: 'secret' }))).toEqual({ refused: 'secret' });
});

test('every refusal has words for the log that name what to look at', () => {
  expect(refusalText({ refused: 'secret' })).toContain('CHARGING_SECRET');
  expect(refusalText({ refused: 'version', version: 9 })).toContain('version 9');
  expect(refusalText({ refused: 'malformed' })).toContain('protocol');
});

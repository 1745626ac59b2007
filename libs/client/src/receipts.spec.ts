import { generateKeyPairSync, sign } from 'node:crypto';
import { ReceiptVerificationError, ReceiptVerifier, verifyReceipt } from './receipts.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEYS = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] };
const HEADER = { alg: 'EdDSA', kid: 'one', typ: 'receipt+jws' };
const CONTENT = { call_id: 'a', credits_used: 35, key: '/v1/größe' };

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function receiptOf(content: unknown = CONTENT, header: object = HEADER): string {
  const signed = `${encoded(header)}.${encoded(content)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

test('a receipt that was signed with a listed key is read', async () => {
  expect(await verifyReceipt(receiptOf(), KEYS)).toEqual(CONTENT);
});

const [HEAD = '', PAYLOAD = '', SIGNATURE = ''] = receiptOf().split('.');

test.each([
  ['another content', `${HEAD}.${encoded({ ...CONTENT, credits_used: 10 })}.${SIGNATURE}`],
  ['another header', `${encoded({ ...HEADER, typ: 'x' })}.${PAYLOAD}.${SIGNATURE}`],
  ['a key that is not listed', receiptOf(CONTENT, { ...HEADER, kid: 'two' })],
  ['another algorithm', receiptOf(CONTENT, { ...HEADER, alg: 'HS256' })],
  ['the type of another token', receiptOf(CONTENT, { ...HEADER, typ: 'JWT' })],
  ['no algorithm', receiptOf(CONTENT, { ...HEADER, alg: 'none' })],
  ['extensions that must be understood', receiptOf(CONTENT, { ...HEADER, crit: ['b64'] })],
  ['a header that is no JSON', `${HEAD.slice(1)}.${PAYLOAD}.${SIGNATURE}`],
  ['a content of a length that no bytes have', `${HEAD}.${'A'.repeat(5)}.${SIGNATURE}`],
  ['no signature', `${HEAD}.${PAYLOAD}.`],
  ['a shorter signature', `${HEAD}.${PAYLOAD}.${SIGNATURE.slice(1)}`],
  ['something behind it', `${HEAD}.${PAYLOAD}.${SIGNATURE}.x`],
  ['nothing', ''],
])('one with %s is refused', async (_what, receipt) => {
  await expect(verifyReceipt(receipt, KEYS)).rejects.toBeInstanceOf(ReceiptVerificationError);
});

test('of many each is reported by its place', async () => {
  const many = Array.from({ length: 500 }, (_, n) => receiptOf({ n }));
  many[123] = (many[123] ?? '').replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
  many[124] = 'nothing';
  const found = new Map<number, unknown>();
  const counts = await new ReceiptVerifier(KEYS).verifyAll(many, (place, outcome) =>
    found.set(place, outcome),
  );
  expect(counts).toEqual({ verified: 498, failed: 2 });
  expect(found.get(7)).toEqual({ n: 7 });
  expect([...found].filter(([, one]) => one instanceof ReceiptVerificationError)).toHaveLength(2);
  expect([found.get(123), found.get(124)]).toEqual([
    expect.any(ReceiptVerificationError),
    expect.any(ReceiptVerificationError),
  ]);
});

describe('the end of a key', () => {
  const AT = '2026-11-24T12:00:00.000Z';
  const ended = (exp: number) => ({ keys: KEYS.keys.map((key) => ({ ...key, exp })) });
  const seconds = Date.parse(AT) / 1_000;

  test.each([
    ['dated at it', { at: AT }, seconds],
    ['dated before it', { at: '2020-01-01T00:00:00.000Z' }, seconds],
  ])('leaves a receipt that is %s', async (_, content, exp) => {
    expect(await verifyReceipt(receiptOf(content), ended(exp))).toEqual(content);
  });

  test.each([
    ['dated after it', { at: AT }, seconds - 1],
    ['dated years after it', { at: '2036-01-01T00:00:00.000Z' }, seconds],
    ['not dated', {}, seconds],
    ['dated in words', { at: 'yesterday' }, seconds],
  ])('refuses a receipt that is %s', async (_, content, exp) => {
    await expect(verifyReceipt(receiptOf(content), ended(exp))).rejects.toThrow('after its key');
  });

  test('that has none is none', async () => {
    const content = { at: '2036-01-01T00:00:00.000Z' };
    expect(await verifyReceipt(receiptOf(content), KEYS)).toEqual(content);
  });
});

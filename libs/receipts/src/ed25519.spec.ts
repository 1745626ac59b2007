import type { JsonWebKey } from 'node:crypto';
import { loadEd25519, OPENSSL } from './ed25519.js';
import { newKeyPair } from './key-pair.js';

const { privateKey, publicKey } = newKeyPair();
const JWK = JSON.parse(privateKey) as JsonWebKey;
const BYTES = Buffer.from('a header.and a content');

test('libsodium and OpenSSL make the same signatures', async () => {
  const sodium = await loadEd25519();
  expect(sodium).not.toBe(OPENSSL);
  expect(sodium.signs(JWK)(BYTES)).toEqual(OPENSSL.signs(JWK)(BYTES));
});

test.each([
  ['libsodium', loadEd25519],
  ['OpenSSL', async () => OPENSSL],
])('%s takes a signature for what was signed alone', async (_name, load) => {
  const ed25519 = await load();
  const signature = ed25519.signs(JWK)(BYTES);
  const checks = ed25519.checks(publicKey);
  expect(checks(signature, new Uint8Array(BYTES))).toBe(true);
  expect(checks(signature, Buffer.from('a header.and another'))).toBe(false);
  expect(
    checks(
      signature.map((byte) => byte ^ 1),
      BYTES,
    ),
  ).toBe(false);
  expect(ed25519.checks(newKeyPair().publicKey)(signature, BYTES)).toBe(false);
});

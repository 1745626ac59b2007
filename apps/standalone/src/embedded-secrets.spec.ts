import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adminToken, generatedSecret } from './embedded-secrets.js';

let parent: string;
let dataDir: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'popindex-secrets-'));
  dataDir = path.join(parent, 'data');
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

test('the admin token is made once, is long enough and is its owner’s alone', () => {
  const token = adminToken(dataDir);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(adminToken(dataDir)).toBe(token);
  expect(statSync(path.join(dataDir, 'admin-token')).mode & 0o777).toBe(0o600);
  expect(adminToken(path.join(parent, 'other'))).not.toBe(token);
});

test('a token of the operator’s own is taken, and one that is too short is refused by file', () => {
  generatedSecret(dataDir, 'admin-token', () =>
    'the operator writes a token of 40 letters'.replaceAll(' ', '-'),
  );
  expect(adminToken(dataDir)).toBe('the-operator-writes-a-token-of-40-letters');
  writeFileSync(path.join(dataDir, 'admin-token'), 'short\n');
  expect(() => adminToken(dataDir)).toThrow(
    `DATA_DIR: ${path.join(dataDir, 'admin-token')} takes at least 32`,
  );
});

test('a folder that cannot be made is reported in one line', () => {
  writeFileSync(dataDir, '');
  expect(() => adminToken(dataDir)).toThrow(/^DATA_DIR: a secret cannot be (read|kept): /);
});

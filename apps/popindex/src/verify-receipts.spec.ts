import { generateKeyPairSync, sign } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findKeys } from './receipt-keys.js';
import { commandScene } from './command-scene.suite.js';
import { threadOfSources } from '../../../test/setup/thread-of-sources.js';
import { verifyPart } from './verify-receipts-part.js';
import { verifyReceipts } from './verify-receipts.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEYS = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] };

function receiptOf(credits: number, content: object = {}): string {
  const parts = [
    { alg: 'EdDSA', kid: 'one' },
    { credits_used: credits, ...content },
  ];
  const signed = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

const scene = commandScene();

async function verified(lines: readonly string[], json = false): Promise<number> {
  const receipts = await scene.file('receipts.txt', lines.join('\n'));
  const keys = await scene.file('jwks.json', KEYS);
  return verifyReceipts({ receipts, keys }, json);
}

test('a file of receipts holds, with the sum of their credits', async () => {
  expect(await verified([receiptOf(35), receiptOf(10), ''])).toBe(0);
  expect(scene.printed).toContain('2 receipts for 45 credits hold.');
});

test.each([
  ['a receipt that was changed', [receiptOf(35), receiptOf(10).replace('.', '.A')]],
  ['a line that is none', ['hello', receiptOf(35)]],
])('%s is named, and the exit code is 1', async (_what, lines) => {
  expect(await verified(lines)).toBe(1);
  expect(scene.printed).toMatch(/WRONG each receipt[^]*Receipt [12]: /);
});

test('threads verify parts of a long file, and count its receipts from the first', async () => {
  const lines = Array.from({ length: 40 }, () => receiptOf(10));
  lines[3] = 'hello';
  lines[37] = (lines[37] ?? '').replace('.', '.A');
  const receipts = await scene.file('long.txt', lines.join('\n'));
  const keys = await scene.file('jwks.json', KEYS);
  const program = threadOfSources('apps/popindex/src/verify-receipts-thread.ts');
  const threads = { count: 2, bytesMin: 1, program };
  expect(await verifyReceipts({ receipts, keys }, false, threads)).toBe(1);
  expect(scene.printed).toContain('38 receipts for 380 credits hold, 2 do NOT.');
  expect(scene.printed).toMatch(/Receipt 4: [^]*Receipt 38: /);
});

test('a thread that cannot start fails the command', async () => {
  const receipts = await scene.file('long.txt', receiptOf(35));
  const keys = await scene.file('jwks.json', KEYS);
  const threads = { count: 2, bytesMin: 1, program: new URL('file:///nowhere.js') };
  await expect(verifyReceipts({ receipts, keys }, false, threads)).rejects.toThrow('nowhere.js');
});

test('each receipt is in one part of a file, wherever it is cut', async () => {
  const text = `\n${receiptOf(1)}\r\n\n${receiptOf(2)}\n${receiptOf(4)}`;
  const file = await scene.file('cut.txt', text);
  for (let cut = 0; cut <= text.length; cut += 7) {
    const of = { file, keys: KEYS, callId: null };
    const one = await verifyPart({ ...of, from: 0, to: cut });
    const other = await verifyPart({ ...of, from: cut, to: text.length });
    expect(one.credits + other.credits).toBe(7);
    expect(one.verified + other.verified).toBe(3);
  }
});

test('a file without receipts proves nothing', async () => {
  expect(await verified([], true)).toBe(1);
  expect(JSON.parse(scene.printed)).toMatchObject({ intact: false, verified: 0, failed: 0 });
  expect(await verified([])).toBe(1);
  expect(scene.printed).toContain('The file holds no receipt.');
});

test('a file that is not there, or no key set, is reported as such', async () => {
  const missing = scene.at('none');
  await expect(verifyReceipts({ receipts: missing, keys: missing }, false)).rejects.toThrow('none');
  const keys = await scene.file('other.json', { keys: 1 });
  await expect(verifyReceipts({ receipts: missing, keys }, false)).rejects.toThrow('/keys');
});

describe('without --keys', () => {
  const lines = [receiptOf(35), receiptOf(10)].join('\n');

  it('they are those of a jwks.json beside the receipts, as the report says', async () => {
    const receipts = await scene.file('receipts.txt', lines);
    const keys = await scene.file('jwks.json', KEYS);
    expect(await verifyReceipts({ receipts }, true)).toBe(0);
    expect(JSON.parse(scene.printed)).toMatchObject({ intact: true, keys });
    expect(await verifyReceipts({ receipts }, false)).toBe(0);
    expect(scene.printed).toContain(`hold. Keys: ${keys}`);
  });

  it('else those of the service', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(KEYS));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await rm(scene.at('jwks.json'), { force: true });
    const receipts = await scene.file('receipts.txt', lines);
    const environment = { BASE_URL: `http://127.0.0.1:${port}/data` };
    const from = `${environment.BASE_URL}/.well-known/jwks.json`;
    expect(await findKeys({ receipts }, environment)).toMatchObject({ from });
    expect(asked).toEqual(['/data/.well-known/jwks.json']);
    await new Promise((resolve) => server.close(resolve));
    const refused = await findKeys({ receipts }, environment).catch(String);
    expect(refused).toContain(`${scene.at('jwks.json')} does not exist, and ${from} (of BASE_URL)`);
  });
});

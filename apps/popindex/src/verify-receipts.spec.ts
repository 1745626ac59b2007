import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findKeys } from './receipt-keys.js';
import { commandScene } from './command-scene.suite.js';
import { threadOfSources } from '../../../test/setup/thread-of-sources.js';
import { CallSums } from './receipt-calls.js';
import { verifyPart } from './verify-receipts-part.js';
import { verifyReceipts } from './verify-receipts.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEYS = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] };

const AT = '2026-11-24T12:00:00.000Z';

function receiptOf(credits: number, content: object = {}, kid = 'one'): string {
  const parts = [
    { alg: 'EdDSA', kid, typ: 'receipt+jws' },
    { call_id: randomUUID(), account_id: 'a', at: AT, credits_used: credits, ...content },
  ];
  const signed = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

const scene = commandScene();

async function verified(
  lines: readonly string[],
  json = false,
  set: object = KEYS,
): Promise<number> {
  const receipts = await scene.file('receipts.txt', lines.join('\n'));
  const keys = await scene.file('jwks.json', set);
  return verifyReceipts({ receipts: [receipts], keys }, json);
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
  expect(await verifyReceipts({ receipts: [receipts], keys }, false, threads)).toBe(1);
  expect(scene.printed).toContain('38 receipts for 380 credits hold, 2 do NOT.');
  expect(scene.printed).toMatch(/Receipt 4: [^]*Receipt 38: /);
});

describe('a call is counted once', () => {
  const [first, second] = ['019a-1', '019a-2'].map((id) => receiptOf(35, { call_id: id }));
  const other = { keys: [...KEYS.keys, { ...KEYS.keys[0], kid: 'two' }] };

  it('with the same receipt more than once, and with receipts of several keys', async () => {
    const again = receiptOf(35, { call_id: '019a-1' }, 'two');
    expect(await verified([first ?? '', second ?? '', first ?? '', again], true, other)).toBe(0);
    expect(JSON.parse(scene.printed)).toMatchObject({ verified: 4, calls: 2, credits: 70 });
    expect(await verified([first ?? '', first ?? ''])).toBe(0);
    expect(scene.printed).toContain('2 receipts of 1 calls for 35 credits hold.');
  });

  it('in several files', async () => {
    const keys = await scene.file('jwks.json', KEYS);
    const one = await scene.file('one.txt', `${first}\n${second}`);
    const two = await scene.file('two.txt', `${second}\n${first}\n${second}`);
    expect(await verifyReceipts({ receipts: [one, two, one], keys }, true)).toBe(0);
    expect(JSON.parse(scene.printed)).toMatchObject({ verified: 7, calls: 2, credits: 70 });
  });

  it('in parts of a file', async () => {
    const keys = await scene.file('jwks.json', KEYS);
    const file = await scene.file('parts.txt', `${second}\n${first}\n${second}\n${first}`);
    const program = threadOfSources('apps/popindex/src/verify-receipts-thread.ts');
    const threads = { count: 2, bytesMin: 1, program };
    expect(await verifyReceipts({ receipts: [file], keys }, true, threads)).toBe(0);
    expect(JSON.parse(scene.printed)).toMatchObject({ verified: 4, calls: 2, credits: 70 });
  });

  it('of another account for itself', async () => {
    const elsewhere = receiptOf(35, { call_id: '019a-1', account_id: 'b' });
    expect(await verified([first ?? '', elsewhere], true)).toBe(0);
    expect(JSON.parse(scene.printed)).toMatchObject({ calls: 2, credits: 70 });
  });

  it('and receipts of it that differ do not hold', async () => {
    const dearer = receiptOf(45, { call_id: '019a-1' });
    expect(await verified([first ?? '', dearer])).toBe(1);
    expect(scene.printed).toMatch(/Receipt [12]: Another receipt of its call differs/);
    expect(scene.printed).toContain('1 receipts for');
  });
});

test('a receipt that is dated after the end of its key does not hold', async () => {
  const ended = (exp: number) => ({ keys: KEYS.keys.map((key) => ({ ...key, exp })) });
  const seconds = Date.parse(AT) / 1_000;
  expect(await verified([receiptOf(35)], false, ended(seconds))).toBe(0);
  expect(await verified([receiptOf(35)], false, ended(seconds - 1))).toBe(1);
  expect(scene.printed).toContain('Receipt 1: It is dated 2026-11-24T12:00:00.000Z, after its key');
});

test('what is wrong is named with its file where there are several', async () => {
  const keys = await scene.file('jwks.json', KEYS);
  const good = await scene.file('good.txt', receiptOf(35));
  const bad = await scene.file('bad.txt', `${receiptOf(35)}\nhello`);
  expect(await verifyReceipts({ receipts: [good, bad], keys }, false)).toBe(1);
  expect(scene.printed).toContain(`${bad}: Receipt 2: It is no compact JWS.`);
});

test('a thread that cannot start fails the command', async () => {
  const receipts = await scene.file('long.txt', receiptOf(35));
  const keys = await scene.file('jwks.json', KEYS);
  const threads = { count: 2, bytesMin: 1, program: new URL('file:///nowhere.js') };
  await expect(verifyReceipts({ receipts: [receipts], keys }, false, threads)).rejects.toThrow(
    'nowhere.js',
  );
});

test('each receipt is in one part of a file, wherever it is cut', async () => {
  const text = `\n${receiptOf(1)}\r\n\n${receiptOf(2)}\n${receiptOf(4)}`;
  const file = await scene.file('cut.txt', text);
  for (let cut = 0; cut <= text.length; cut += 7) {
    const of = { file, keys: KEYS };
    const sums = new CallSums();
    const one = await verifyPart({ ...of, from: 0, to: cut });
    const other = await verifyPart({ ...of, from: cut, to: text.length });
    expect([one, other].flatMap(({ calls }) => sums.add(calls))).toEqual([]);
    expect([sums.calls, sums.credits]).toEqual([3, 7]);
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
  await expect(verifyReceipts({ receipts: [missing], keys: missing }, false)).rejects.toThrow(
    'none',
  );
  const keys = await scene.file('other.json', { keys: 1 });
  await expect(verifyReceipts({ receipts: [missing], keys }, false)).rejects.toThrow('/keys');
});

describe('without --keys', () => {
  const lines = [receiptOf(35), receiptOf(10)].join('\n');

  it('they are those of a jwks.json beside the receipts, as the report says', async () => {
    const receipts = await scene.file('receipts.txt', lines);
    const keys = await scene.file('jwks.json', KEYS);
    expect(await verifyReceipts({ receipts: [receipts] }, true)).toBe(0);
    expect(JSON.parse(scene.printed)).toMatchObject({ intact: true, keys });
    expect(await verifyReceipts({ receipts: [receipts] }, false)).toBe(0);
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
    expect(await findKeys({ receipts: [receipts] }, environment)).toMatchObject({ from });
    expect(asked).toEqual(['/data/.well-known/jwks.json']);
    await new Promise((resolve) => server.close(resolve));
    const refused = await findKeys({ receipts: [receipts] }, environment).catch(String);
    expect(refused).toContain(`${scene.at('jwks.json')} does not exist, and ${from} (of BASE_URL)`);
  });
});

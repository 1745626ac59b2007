import { createPublicKey, verify } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose';
import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { jwkSet } from './receipt-keys.js';
import { openReceipts } from './start-receipts.js';

const NOON = Date.parse('2026-11-24T12:00:00Z');
const MINUTE_MS = 60_000;
const SECRET = 'a-secret-of-32-characters-at-least';
const CALL: CallMade = {
  key: '/v1/2026w48/cat1/trends/top5/popindex/us/beauty',
  release: '2026w48',
  api_key: 1,
  rows: 5,
  kind: 'base',
  cost: [10, 25],
  card: 1,
  rule: 'top5',
  draws: [[1, 35]],
  balance: 965,
};
const PLACED = {
  accountId: '00000000-0000-4000-8000-000000000001',
  charged: { callId: '0197c2aa-0000-7000-8000-000000000001', at: NOON, call: CALL },
  place: { version: 4, head: 'ab'.repeat(32) },
};

let database: TestDatabase;
let pool: pg.Pool;
let now = NOON;
let requests = 0;

/** A process: its own stream, and what it makes of a secret. */
function open(secret = SECRET) {
  const system = new SystemStream(new PostgresEventLog(pool));
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  return { faults, ...openReceipts({ system, pool, clock: { now: () => now }, secret, onFault }) };
}

function change(idempotencyKey: string | null = null) {
  requests += 1;
  return { by: 'operator', requestId: `request-${requests}`, idempotencyKey, input: 'the same' };
}

function kidOf(receipt: string | undefined): unknown {
  const [header = ''] = (receipt ?? '').split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: unknown }).kid;
}

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'receipts-spec' });
  now = NOON;
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

test('a receipt is a compact JWS that other libraries verify with the listed key', async () => {
  const { keys, signer } = open();
  await keys.ensure();
  await signer.refresh();
  const receipt = signer.sign(PLACED) ?? '';
  const [jwk] = jwkSet(signer.keys).keys;
  const { payload, protectedHeader } = await compactVerify(
    receipt,
    await importJWK(jwk as JWK, 'EdDSA'),
  );
  expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: jwk?.kid, typ: 'receipt+jws' });
  expect(jwk?.kid).toBe(await calculateJwkThumbprint(jwk as JWK));
  expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
    call_id: PLACED.charged.callId,
    account_id: PLACED.accountId,
    at: '2026-11-24T12:00:00.000Z',
    key: CALL.key,
    credits_used: 35,
    balance: 965,
    account_version: 4,
    account_head: PLACED.place.head,
  });
  // The same content under the same key is the same receipt.
  expect(signer.sign(PLACED)).toBe(receipt);
});

test('a key that is about to sign is listed first, and one that has signed stays listed', async () => {
  const process = open();
  await process.keys.ensure();
  await process.signer.refresh();
  const first = process.signer.sign(PLACED);
  const { view } = await process.keys.rotate(change(), false);
  await process.signer.refresh();
  expect(kidOf(process.signer.sign(PLACED))).toBe(kidOf(first));
  expect(jwkSet(process.signer.keys).keys.map(({ kid }) => kid)).toEqual([view.kid, kidOf(first)]);
  now += 10 * MINUTE_MS;
  await process.signer.refresh();
  expect(kidOf(process.signer.sign(PLACED))).toBe(view.kid);
  const [, old] = jwkSet(process.signer.keys).keys;
  const [header = '', payload = '', signature = ''] = (first ?? '').split('.');
  const key = createPublicKey({ key: { ...old }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  expect(verify(null, signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('a compromised key is replaced at once', async () => {
  const process = open();
  await process.keys.ensure();
  const { view } = await process.keys.rotate(change(), true);
  await process.signer.refresh();
  expect(kidOf(process.signer.sign(PLACED))).toBe(view.kid);
});

test('a key that another one follows is listed with its end, a minute after the other signs', async () => {
  const { keys } = open();
  await keys.ensure();
  const ends = async () => jwkSet(await keys.list()).keys.map((key) => key.exp ?? null);
  expect(await ends()).toEqual([null]);
  await keys.rotate(change(), false);
  const planned = (NOON + 11 * MINUTE_MS) / 1_000;
  expect(await ends()).toEqual([null, planned]);
  // The one that was announced never signs: another has replaced it at once.
  now += MINUTE_MS;
  await keys.rotate(change(), true);
  const ended = (NOON + 2 * MINUTE_MS) / 1_000;
  expect(await ends()).toEqual([null, ended, ended]);
});

test('a rotation that is retried under its idempotency key makes one key', async () => {
  const { keys } = open();
  const made = await keys.rotate(change('rotate-1'), false);
  const again = await keys.rotate(change('rotate-1'), false);
  expect([made.replayed, again.replayed]).toEqual([false, true]);
  expect(again.view).toEqual(made.view);
  expect(await keys.list()).toHaveLength(1);
});

test('of processes that begin at once one makes the key, and all sign with it', async () => {
  const processes = [open(), open(), open()];
  await Promise.all(processes.map(({ keys }) => keys.ensure()));
  for (const { signer } of processes) await signer.refresh();
  const kids = await Promise.all(processes.map(async ({ signer }) => kidOf(signer.sign(PLACED))));
  expect(new Set(kids).size).toBe(1);
});

test('a key that nobody can sign with any more is replaced, and stays listed', async () => {
  const before = open();
  await before.keys.ensure();
  await before.signer.refresh();
  const old = kidOf(before.signer.sign(PLACED));
  const after = open('another-secret-of-32-characters-now');
  await expect(after.signer.refresh()).rejects.toThrow('Nobody here can sign');
  expect(after.signer.sign(PLACED)).toBeUndefined();
  now += MINUTE_MS;
  await after.keys.ensure();
  await after.signer.refresh();
  expect(kidOf(after.signer.sign(PLACED))).not.toBe(old);
  expect(jwkSet(after.signer.keys).keys.map(({ kid }) => kid)).toContain(old);
});

test('no private half stands in clear, in an event, or longer than it signs', async () => {
  const { keys, signer } = open();
  await keys.ensure();
  await signer.refresh();
  await pool.query(`update receipt_key set made_at = now() - interval '1 hour'`);
  await keys.rotate(change(), true);
  await signer.refresh();
  const { rows } = await pool.query<{ kid: string; text: string }>(
    `select kid, encode(private_key, 'escape') as text from receipt_key`,
  );
  expect(rows.map(({ kid }) => kid)).toEqual([(await keys.list()).at(-1)?.kid]);
  expect(rows[0]?.text).not.toContain('Ed25519');
  const events = await pool.query<{ data: object }>('select data from event where lane = 0');
  expect(events.rows).toHaveLength(2);
  expect(JSON.stringify(events.rows)).not.toContain('"d"');
});

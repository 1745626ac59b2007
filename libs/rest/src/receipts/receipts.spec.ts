import { compactVerify, createLocalJWKSet } from 'jose';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import { laneOf } from '#event-log/event-log.js';
import { jwkSet } from '#receipts/receipt-keys.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const DAY_MS = 86_400_000;
const NOBODY = '0197c000-0000-7000-8000-000000000000';

const stage = adminStage();

/** The content of a call's receipt, which the listed keys have signed. */
async function contentOf(callId: string): Promise<Record<string, unknown>> {
  const { status, json, text } = await stage.get(`/calls/${callId}/receipt`);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  const keys = createLocalJWKSet(jwkSet(await stage.receipts.keys.list()));
  const { payload } = await compactVerify(String(json['receipt']), keys);
  return JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
}

/** The head of an account after each of its events, worked out from the first on. */
async function headsOf(id: string): Promise<readonly string[]> {
  let head = FIRST_HEAD;
  const events = await stage.log.readAccount(id, 0, 10_000);
  return events.map((event) => (head = hashEvent(head, event)));
}

test('before there is a key a receipt is 503, and calls are as they were', async () => {
  const id = await stage.prepaid();
  const call = await stage.call(id);
  const { status, json } = await stage.get(`/calls/${call.id}/receipt`);
  expect([status, json['code']]).toEqual([503, 'accounting-unavailable']);
  expect((await stage.get(`/calls/${NOBODY}/receipt`)).status).toBe(404);
  // What nobody can answer is logged.
  expect(stage.errors.splice(0)).toHaveLength(1);
});

test('the receipt of any call names the head of its account, whatever is known before it', async () => {
  await stage.receipts.keys.ensure();
  await stage.receipts.signer.refresh();
  const id = await stage.prepaid({}, 1_000_000);
  const calls: string[] = [];
  for (let day = 0; day < 60; day += 6) {
    stage.now += 6 * DAY_MS;
    calls.push((await stage.call(id)).id);
  }
  const heads = await headsOf(id);
  const placed = async () => {
    for (const callId of calls) {
      const content = await contentOf(callId);
      expect(content).toMatchObject({ call_id: callId, account_id: id });
      expect(content['account_head']).toBe(heads[Number(content['account_version']) - 1]);
    }
  };
  // Months were closed between them; then the ledger keeps a state with its head.
  await placed();
  const [version] = [heads.length - 4];
  await stage.pool.query(
    `insert into ledger_snapshot (lane, account_id, version, state, head)
     values ($1, $2, $3, '{}', $4)`,
    [laneOf(id), id, version, Buffer.from(heads[version - 1] ?? '', 'hex')],
  );
  await placed();
});

test('keys are listed with what they do, and replaced by an owner', async () => {
  const [first] = itemsOf(await stage.get('/receipt-keys'));
  expect(first).toMatchObject({ status: 'signing' });
  const made = await stage.post('/receipt-keys', { reason: 'Once a year.' }, 'rotate-1');
  expect([made.status, made.json['status']]).toEqual([201, 'coming']);
  const again = await stage.post('/receipt-keys', { reason: 'Once a year.' }, 'rotate-1');
  expect(again.json).toEqual(made.json);
  stage.now += DAY_MS;
  const keys = itemsOf(await stage.get('/receipt-keys'));
  expect(keys.map(({ status }) => status)).toEqual(['retired', 'signing']);
  const { json } = await stage.get('/audit?order=desc&limit=1');
  expect((json['items'] as unknown[])[0]).toMatchObject({ type: 'ReceiptKeyMade' });
});

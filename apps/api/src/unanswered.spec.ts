import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Charging } from '#account/charging.js';
import { UNANSWERED_FOLDER, UnansweredCalls } from '#charging-link/unanswered-calls.js';
import { openCalls } from '#charging-link/unanswered-lines.js';
import { gracefulClose } from '#web/server/graceful-close.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { bearer, createTestApi, type TestApi } from '../test-adapters/test-api.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';

let dataDir: string;
let unanswered: UnansweredCalls;
let api: TestApi;
let url: string;
/** Content of the file at each request of a charge. */
let atCharge: (readonly object[])[];
/** Holds charges until it resolves. */
let until: Promise<void>;

async function kept(): Promise<readonly object[]> {
  const folder = path.join(dataDir, UNANSWERED_FOLDER);
  const names = await readdir(folder);
  return openCalls(
    await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8'))),
  );
}

function watched(real: Charging): Charging {
  return {
    charge: async (request) => {
      atCharge.push(await kept());
      await until;
      return real.charge(request);
    },
    quote: (request) => real.quote(request),
  };
}

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'unanswered-api-'));
  unanswered = new UnansweredCalls(dataDir, (error) => {
    throw error;
  });
  api = await createTestApi({ unanswered, charging: watched });
  await api.app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${(api.app.getHttpServer().address() as AddressInfo).port}${PATH}`;
});

beforeEach(() => {
  atCharge = [];
  until = Promise.resolve();
});

afterAll(async () => {
  await gracefulClose(api.app, 1_000);
  unanswered.close();
  await rm(dataDir, { recursive: true });
});

async function expectStruckOut(): Promise<void> {
  await waitFor('nothing is unanswered', () => unanswered.size === 0);
  await unanswered.writing();
  expect(await kept()).toEqual([]);
}

test('a call is recorded before its charge is requested, and struck out once it is answered', async () => {
  const account = api.account();
  const headers = bearer(api.key(account));
  const answer = await fetch(url, { headers });
  expect(answer.status).toBe(200);
  expect(atCharge).toEqual([[{ callId: answer.headers.get('call-id'), accountId: account.id }]]);
  await answer.text();
  await expectStruckOut();
  const again = await fetch(url, {
    headers: { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' },
  });
  expect([again.status, atCharge.length]).toEqual([304, 2]);
  await expectStruckOut();
});

test('under an idempotency key the request is recorded too', async () => {
  const headers = { ...bearer(api.key(api.account())), 'idempotency-key': 'pull-1' };
  await (await fetch(url, { headers })).text();
  const { callId, accountId, requestId } = api.charging.requests.at(-1) ?? {};
  expect(requestId).toBeDefined();
  expect(atCharge).toEqual([[{ callId, accountId, requestId }]]);
  await expectStruckOut();
});

test('a call that is refused is struck out, and a quote is never recorded', async () => {
  const headers = bearer(api.key(api.account(1)));
  const refused = await fetch(url, { headers });
  expect([refused.status, atCharge.length]).toEqual([402, 1]);
  await refused.text();
  await expectStruckOut();
  const record = jest.spyOn(unanswered, 'record');
  await fetch(url, { headers, method: 'HEAD' });
  expect(record).not.toHaveBeenCalled();
  record.mockRestore();
});

test('a call whose client hung up is struck out, also while it is charged', async () => {
  let charge: () => void = () => undefined;
  until = new Promise((resolve) => (charge = resolve));
  const client = new AbortController();
  const headers = bearer(api.key(api.account()));
  const answer = fetch(url, { headers, signal: client.signal }).catch(() => 'hung up');
  await waitFor('it is recorded', () => atCharge.length === 1);
  expect(atCharge[0]).toHaveLength(1);
  client.abort();
  expect(await answer).toBe('hung up');
  await expectStruckOut();
  charge();
});

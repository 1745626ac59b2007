import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  AccountingUnavailableError,
  type ChargeOutcome,
  type Charging,
  OutcomeUnknownError,
} from '#account/charging.js';
import type { KeyRecord } from '#account/key-directory.js';
import { gracefulClose } from '#web/server/graceful-close.js';
import { SERUM } from '../test-adapters/memory-releases.js';
import { ask } from '../test-adapters/seen.js';
import type { NewAccount } from '../test-adapters/test-accounts.js';
import { bearer, createTestApi, type TestApi } from '../test-adapters/test-api.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const KEY = PATH.replace('latest', '2026w47');

let api: TestApi;
const apis: TestApi[] = [];

async function newApi(...changes: Parameters<typeof createTestApi>): Promise<TestApi> {
  const made = await createTestApi(...changes);
  apis.push(made);
  return made;
}

beforeAll(async () => {
  api = await newApi();
});
afterAll(async () => {
  for (const one of apis) await gracefulClose(one.app, 1000);
});

/** A new account with a key, and how to ask with it. */
function caller(credits = 1_000_000, from = api, changes: NewAccount = {}) {
  const account = from.account(credits, changes);
  const headers = bearer(from.key(account));
  const get = (url = PATH, more: Record<string, string> = {}) =>
    ask(from, { url, headers: { ...headers, ...more } });
  const head = (url = PATH, more: Record<string, string> = {}) =>
    ask(from, { method: 'HEAD', url, headers: { ...headers, ...more } });
  return { account, headers, get, head };
}

/** Charging that answers by a script first and by the real one afterwards. */
function scripted(script: (ChargeOutcome | Error)[]) {
  return (real: Charging): Charging => ({
    charge: async (request) => {
      const next = script.shift();
      if (next instanceof Error) throw next;
      return next ?? real.charge(request);
    },
    quote: (request) => real.quote(request),
  });
}

describe('what happens between the look and the decision', () => {
  it('a week that turned is looked up again, so that key, data and charge belong together', async () => {
    const own = await newApi();
    own.clock.time = Date.parse('2026-11-24T00:00:01Z');
    const { accounts } = own;
    const real = accounts.find.bind(accounts);
    const { account, get } = caller(1000, own);
    // The API still sees the old week: its clock stands a moment behind the one that decides.
    accounts.find = async (hash) => {
      const found = await real(hash);
      const testClock = Date.parse('2026-11-23T23:59:59Z');
      const keys = [...(found?.keys ?? [])].map(([of, record]) => [of, { ...record, testClock }]);
      return found && { ...found, keys: new Map(keys as [string, KeyRecord][]) };
    };
    const answer = await get();
    expect(answer.json()).toMatchObject({ key: PATH.replace('latest', '2026w48') });
    expect(answer.header('credits-window')).toBe('2026w48');
    expect(await account.calls()).toHaveLength(1);
    const [first, second] = own.charging.requests;
    expect([first?.window, second?.window]).toEqual(['2026w47', '2026w48']);
    expect([first?.callId === second?.callId, first?.isRetry, second?.isRetry]).toEqual([
      true,
      false,
      true,
    ]);
    expect(
      (await ask(own, { method: 'HEAD', url: PATH, headers: bearer(own.key(account)) })).header(
        'credits-window',
      ),
    ).toBe('2026w48');
  });

  it('a week that turns again and again is given up, free of charge', async () => {
    const moved = (window: string): ChargeOutcome => ({
      outcome: 'refused',
      refusal: { reason: 'window-moved', window },
    });
    const script = ['2026w48', '2026w49', '2026w50', '2026w51'].map(moved);
    const own = await newApi({ charging: scripted(script) });
    const { account, get } = caller(1000, own);
    const answer = await get();
    expect([answer.status, answer.json()['code']]).toEqual([503, 'accounting-unavailable']);
    expect(await account.balance()).toBe(1000);
  });

  it('a test account is answered from the release that it is held to', async () => {
    const own = await newApi();
    const testClock = own.clock.now();
    const { account, get, head } = caller(1000, own, { testClock });
    const [newest] = own.releases.releases.splice(1);
    expect((await get()).header('data-release')).toBe('r1');
    if (newest) own.releases.releases.push(newest);
    const answer = await get();
    expect(answer.headers).toMatchObject({ 'data-release': 'r1', 'cache-control': 'no-store' });
    expect((await head()).status).toBe(200);
    const payload = { urls: [PATH, PATH.replace('latest', '2026w46')] };
    const quote = await ask(own, {
      method: 'POST',
      url: '/v1/quotes',
      payload,
      headers: bearer(own.key(account)),
    });
    expect(quote.json()).toMatchObject({
      items: [{ kind: 'repeat' }, { kind: 'base' }],
      total_credits: 45,
    });
  });

  it.each([
    [
      'charging away',
      new AccountingUnavailableError('away', 3),
      503,
      'accounting-unavailable',
      '3',
    ],
    ['the outcome unknown', new OutcomeUnknownError(SERUM), 504, 'outcome-unknown', undefined],
    [
      'the database away',
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      503,
      'accounting-unavailable',
      '1',
    ],
    ['a bug', new TypeError('secret'), 500, 'internal', undefined],
  ])('%s is answered as what it is, and logged', async (_what, error, status, code, retry) => {
    const own = await newApi({ charging: scripted([error]) });
    const { get } = caller(1000, own);
    const answer = await get();
    expect([answer.status, answer.json()['code'], answer.header('retry-after')]).toEqual([
      status,
      code,
      retry,
    ]);
    expect(answer.body).not.toContain('secret');
    expect(own.log).toMatchObject([
      { level: 'error', members: { err: error, requestId: answer.header('request-id') } },
    ]);
    expect((await get()).status).toBe(200);
  });

  it('a decision that came too late was not made', async () => {
    const own = await newApi({
      charging: scripted([{ outcome: 'refused', refusal: { reason: 'too-late' } }]),
    });
    const answer = await caller(1000, own).get();
    expect([answer.status, answer.header('retry-after')]).toEqual([503, '1']);
  });

  it('data out of reach is reported before anything is charged', async () => {
    const own = await newApi();
    own.releases.answer = async () => {
      throw Object.assign(new Error('away'), { code: '57P01' });
    };
    const answer = await caller(1000, own).get();
    expect([answer.status, own.charging.requests.length]).toEqual([503, 0]);
  });

  it('a key directory out of reach refuses nobody’s key', async () => {
    const own = await newApi();
    const { get } = caller(1000, own);
    own.accounts.find = async () => {
      throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
    };
    expect((await get()).status).toBe(503);
    expect((await get('/v1/account')).status).toBe(503);
  });
});

describe('an account on a test clock', () => {
  it('lives in its own time, at once', async () => {
    const testClock = Date.parse('2026-11-20T00:00:00Z');
    const { account, get } = caller(1000, api, { testClock });
    expect((await get()).header('credits-kind')).toBe('base');
    await account.moveClock(Date.parse('2026-11-24T00:00:00Z'));
    const next = await get();
    expect(next.headers).toMatchObject({ 'credits-kind': 'base', 'credits-window': '2026w48' });
    expect((await get(KEY)).header('credits-used')).toBe('10');
  });

  it('is served the first release before it begins', async () => {
    const { get } = caller(1000, api, { testClock: Date.parse('2024-01-03T00:00:00Z') });
    expect((await get()).headers).toMatchObject({
      'data-release': 'r1',
      'credits-window': '2024w01',
    });
    expect((await get(PATH.replace('latest', '2023w52'))).status).toBe(200);
    expect((await get(PATH.replace('latest', '2024w02'))).json()['code']).toBe('unknown-window');
  });
});

describe('before the first release', () => {
  it('every window is unknown', async () => {
    const own = await newApi();
    own.releases.releases.splice(0);
    const answer = await caller(1000, own).get();
    expect([answer.status, answer.json()['code']]).toEqual([404, 'unknown-window']);
  });
});

describe('a client that hangs up', () => {
  it('before the charge is asked for is not charged; later it gets nothing back', async () => {
    const own = await newApi();
    await own.app.listen(0, '127.0.0.1');
    const { port } = own.app.getHttpServer().address() as AddressInfo;
    const { account, headers } = caller(1000, own);
    const real = own.releases.answer.bind(own.releases);
    const hangUp = new AbortController();
    own.releases.answer = async (release, resource) => {
      hangUp.abort();
      await once(own.app.getHttpServer(), 'hung-up');
      return real(release, resource);
    };
    own.app.getHttpServer().on('connection', (socket) => {
      socket.on('close', () => setImmediate(() => own.app.getHttpServer().emit('hung-up')));
    });
    const url = `http://127.0.0.1:${port}${PATH}`;
    await expect(fetch(url, { headers, signal: hangUp.signal })).rejects.toThrow();
    own.releases.answer = real;
    // The next answer shows that the first request has run to its end.
    expect((await fetch(url, { headers })).status).toBe(200);
    expect((await account.calls()).map(({ call }) => call.kind)).toEqual(['base']);

    const leaving = new AbortController();
    const charge = own.charging.charge.bind(own.charging);
    own.charging.charge = async (request) => {
      const outcome = await charge(request);
      leaving.abort();
      await once(own.app.getHttpServer(), 'hung-up');
      return outcome;
    };
    await expect(fetch(url, { headers, signal: leaving.signal })).rejects.toThrow();
    own.charging.charge = charge;
    expect((await fetch(url, { headers })).headers.get('credits-balance')).toBe('945');
    expect(own.log).toEqual([]);
  });
});

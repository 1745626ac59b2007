import { randomUUID } from 'node:crypto';
import { TUESDAY, HOUR } from '#account/scenario.suite.js';
import { idOf, itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();

interface Row {
  /** The path of the change; `{id}` stands for the account's id. */
  readonly change: string;
  readonly body: object;
  readonly other: object;
}

// Each change, and another body that must not pass under the same key.
const CHANGES: readonly Row[] = [
  { change: '/accounts', body: { name: 'A' }, other: { name: 'B' } },
  { change: '/accounts/{id}/suspend', body: { reason: 'A.' }, other: { reason: 'B.' } },
  { change: '/accounts', body: planned('A'), other: planned('B') },
  { change: '/accounts/{id}/close', body: { reason: 'A.' }, other: { reason: 'B.' } },
  { change: '/accounts/{id}/budgets', body: budget(60), other: budget(70) },
  { change: '/accounts/{id}/test-clock', body: at('2026-11-28'), other: at('2026-11-29') },
  { change: '/accounts/{id}/api-keys', body: { label: 'A' }, other: { label: 'B' } },
  { change: '/accounts/{id}/grants', body: grant('A.'), other: grant('B.') },
  { change: '/accounts/{id}/adjustments', body: adjust(5), other: adjust(6) },
  { change: '/accounts/{id}/adjustments', body: adjust(-5), other: adjust(5) },
];

function at(date: string): object {
  return { now: `${date}T00:00:00Z` };
}

/** Under a plan that includes nothing: opening is one event. */
function planned(name: string): object {
  const tax = { category: 'S', rate_percent: 19 };
  const fees = { monthly_fee: 100, price_per_1000_credits: 1 };
  return { name, plan: { ...fees, included_credits: 0, tax } };
}

function budget(threshold: number): object {
  const notify = { emails: ['ada@example.org'] };
  return { period: 'month', limit_credits: 9, thresholds: [threshold], action: 'alert', notify };
}

function grant(note: string): object {
  return { credits: 100, kind: 'promotional', note };
}

function adjust(credits: number): object {
  return { credits, reason: 'Because.' };
}

async function account(): Promise<string> {
  const id = await stage.account({ test_clock: '2026-11-24T09:00:00Z' });
  await stage.post(`/accounts/${id}/grants`, { credits: 100_000, kind: 'promotional' });
  return id;
}

async function eventsIn(): Promise<number> {
  const ends = await stage.log.ends();
  return ends.reduce((sum, { position }) => sum + position, 0);
}

async function profiles(): Promise<number> {
  const { rows } = await stage.pool.query<{ n: number }>('select count(*) as n from profile');
  return rows[0]?.n ?? 0;
}

/** An answer, without the members that name only the request. */
function said({ status, json }: Answered): unknown {
  const { instance: _instance, ...rest } = json;
  return [status, rest];
}

/** The answer to a retry is the first one without the secret it made. */
function withoutSecret({ status, json }: Answered): unknown {
  const { key: _key, ...rest } = json;
  return [status, rest];
}

/** The moment that the test clock of these accounts stands at. */
const CLOCK = '2026-11-24T09:00:00.000Z';

describe.each(CHANGES)('$change under an idempotency key', ({ change, body, other }) => {
  it('happens once, and a retry is answered as the first request was', async () => {
    const path = change.replace('{id}', await account());
    const key = randomUUID();
    const first = await stage.post(path, body, key);
    const [events, rows] = [await eventsIn(), await profiles()];
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const retry = await stage.post(path, reordered(body), key);
    expect(retry.headers['idempotent-replayed']).toBe('true');
    expect(said(retry)).toEqual(withoutSecret(first));
    expect([await eventsIn(), await profiles()]).toEqual([events, rows]);
  });

  it('is refused with another body', async () => {
    const path = change.replace('{id}', await account());
    const key = randomUUID();
    await stage.post(path, body, key);
    const events = await eventsIn();
    const refused = await stage.post(path, other, key);
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({
      code: 'idempotency-conflict',
      first_request: expect.stringMatching(/^[A-Z][A-Za-z]+$/),
      first_at: expect.stringMatching(/^2026-11-2\d/),
    });
    expect(await eventsIn()).toBe(events);
  });

  it('happens once when it is asked for ten times at once', async () => {
    const path = change.replace('{id}', await account());
    const events = await eventsIn();
    const key = randomUUID();
    const ten = Array.from({ length: 10 }, () => stage.post(path, body, key));
    const answers = await Promise.all(ten);
    expect(new Set(answers.map((answer) => JSON.stringify(withoutSecret(answer)))).size).toBe(1);
    expect(await eventsIn()).toBe(events + 1);
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    expect(replayed).toHaveLength(9);
  });

  it('happens again without one', async () => {
    if (change.endsWith('suspend') || change.endsWith('close') || change.endsWith('test-clock'))
      return;
    const path = change.replace('{id}', await account());
    const [first, second] = [await stage.post(path, body), await stage.post(path, body)];
    expect(first.json['id']).not.toBe(second.json['id']);
  });
});

/** The same value with its members the other way round. */
function reordered(body: object): object {
  return Object.fromEntries(Object.entries(body).toReversed());
}

describe('an idempotency key', () => {
  it('names one change of its account, whatever the change is', async () => {
    const id = await account();
    const key = randomUUID();
    expect((await stage.post(`/accounts/${id}/suspend`, {}, key)).status).toBe(200);
    for (const [path, body] of [
      ['resume', {}],
      ['grants', grant('A.')],
      ['adjustments', adjust(5)],
      ['api-keys', { label: 'A' }],
    ] as const) {
      const refused = await stage.post(`/accounts/${id}/${path}`, body, key);
      expect(refused.json).toMatchObject({ code: 'idempotency-conflict' });
    }
  });

  it('may be used for another account', async () => {
    const key = randomUUID();
    for (const id of [await account(), await account()]) {
      expect((await stage.post(`/accounts/${id}/grants`, grant('A.'), key)).status).toBe(201);
    }
  });

  it('is not used up by a change that was refused', async () => {
    const id = await account();
    const key = randomUUID();
    const path = `/accounts/${id}/adjustments`;
    expect((await stage.post(path, adjust(-100_001), key)).status).toBe(409);
    expect((await stage.post(path, adjust(-100_000), key)).status).toBe(201);
  });

  it('revokes a key once', async () => {
    const id = await account();
    const issued = idOf(await stage.post(`/accounts/${id}/api-keys`, { label: 'A' }));
    const path = `/admin/v1/accounts/${id}/api-keys/${issued}`;
    const key = randomUUID();
    const first = await stage.ask('DELETE', path, { key });
    const retry = await stage.ask('DELETE', path, { key });
    expect([first.status, retry.status]).toEqual([204, 204]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(retry.headers['idempotent-replayed']).toBe('true');
  });

  it('never shows the secret of an API key a second time, nor another one', async () => {
    const id = await account();
    const key = randomUUID();
    const path = `/accounts/${id}/api-keys`;
    const ten = Array.from({ length: 10 }, () => stage.post(path, { label: 'A' }, key));
    const shown = (await Promise.all(ten)).filter(({ json }) => 'key' in json);
    expect(shown).toHaveLength(1);
    expect(itemsOf(await stage.get(path))).toHaveLength(1);
  });
});

describe('giving a call back under an idempotency key', () => {
  async function called(): Promise<{ path: string; body: object; id: string }> {
    const id = await account();
    await stage.post(`/accounts/${id}/api-keys`, { label: 'A' });
    const call = await stage.call(id, { at: TUESDAY });
    const body = { credits: 50_000, reason: 'Wrong data.', call_id: call.id };
    return { path: `/accounts/${id}/adjustments`, body, id };
  }

  it('happens once, and a retry is answered as the first request was', async () => {
    const { path, body } = await called();
    const key = randomUUID();
    const first = await stage.post(path, body, key);
    const retry = await stage.post(path, body, key);
    expect(said(retry)).toEqual(said(first));
    expect(retry.headers['idempotent-replayed']).toBe('true');
  });

  it('is another body under the same key, and a conflict under another or none', async () => {
    const { path, body } = await called();
    const key = randomUUID();
    await stage.post(path, body, key);
    const less = { ...body, credits: 10 };
    const other = await stage.post(path, less, key);
    expect(other.json).toMatchObject({ code: 'idempotency-conflict', first_request: 'Adjusted' });
    expect((await stage.post(path, body, randomUUID())).json['code']).toBe('conflict');
    expect((await stage.post(path, body)).json['code']).toBe('conflict');
  });

  it('happens once when ten operators do it at once', async () => {
    const { path, body, id } = await called();
    const ten = Array.from({ length: 10 }, () => stage.post(path, body, randomUUID()));
    const statuses = (await Promise.all(ten)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect((await stage.get(`/accounts/${id}`)).json).toMatchObject({ balance: 100_000 });
  });

  it('is refused under a key that named another change', async () => {
    const { path, body, id } = await called();
    const key = randomUUID();
    await stage.post(`/accounts/${id}/grants`, grant('A.'), key);
    const refused = await stage.post(path, body, key);
    expect(refused.json).toMatchObject({
      code: 'idempotency-conflict',
      first_request: 'CreditsGranted',
      first_at: CLOCK,
    });
  });

  it('uses its key up for every other change of the account', async () => {
    const { path, body, id } = await called();
    const key = randomUUID();
    await stage.post(path, body, key);
    for (const [other, asked] of [
      ['suspend', {}],
      ['grants', grant('A.')],
      ['adjustments', adjust(5)],
      ['budgets', budget(50)],
    ] as const) {
      const refused = await stage.post(`/accounts/${id}/${other}`, asked, key);
      expect([refused.status, refused.json['code']]).toEqual([422, 'idempotency-conflict']);
      expect(refused.json).toMatchObject({ first_request: 'Adjusted', first_at: CLOCK });
    }
    expect((await stage.post(path, body, key)).headers['idempotent-replayed']).toBe('true');
  });

  it('is refused under a key that gave another call back', async () => {
    const { path, body, id } = await called();
    const key = randomUUID();
    await stage.post(path, body, key);
    const other = await stage.call(id, { at: TUESDAY });
    const refused = await stage.post(path, { ...body, credits: 10, call_id: other.id }, key);
    expect(refused.json['code']).toBe('idempotency-conflict');
    expect((await stage.post(path, body, key)).status).toBe(201);
  });
});

describe('the answer to a retry', () => {
  it('is the account as it was opened, whatever happened since', async () => {
    const key = randomUUID();
    const opened = await stage.post('/accounts', { name: 'A' }, key);
    await stage.post(`/accounts/${idOf(opened)}/grants`, grant('A.'));
    stage.now += HOUR;
    const retry = await stage.post('/accounts', { name: 'A' }, key);
    stage.now = TUESDAY;
    expect(said(retry)).toEqual(said(opened));
  });
});

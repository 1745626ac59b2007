import { waitFor } from '../../../../test/setup/wait-for.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();
let account: string;
let clocked: string;
let billing: { readonly id: string; readonly authorization: string };
/** Real time when everything had been done, and in the middle of it. */
let middle: string;

beforeAll(async () => {
  const { json } = await stage.post('/admin-tokens', { name: '=Billing run', role: 'billing' });
  billing = { id: String(json['id']), authorization: `Bearer ${String(json['token'])}` };
  account = await stage.prepaid();
  await stage.call(account);
  await stage.call(account);
  await passed();
  middle = await now();
  clocked = await stage.account({ test_clock: '2031-01-01T00:00:00Z' });
  const adjustment = { credits: 5, reason: 'A broken answer' };
  const path = `/admin/v1/accounts/${account}/adjustments`;
  const { authorization } = billing;
  await stage.ask('POST', path, { body: adjustment, authorization });
  await stage.post(`/accounts/${account}/suspend`, { reason: 'Asked for' });
  await stage.post('/webhooks', { url: 'http://127.0.0.1:9/hooks' });
});

async function now(): Promise<string> {
  const { rows } = await stage.pool.query<{ now: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
  );
  return rows[0]?.now ?? '';
}

/** Until the millisecond of what was done last is over. */
async function passed(): Promise<void> {
  const last = await now();
  await waitFor('a millisecond', async () => (await now()) > last);
}

async function entries(query = ''): Promise<Record<string, unknown>[]> {
  return itemsOf(await stage.get(`/audit?limit=1000${query}`));
}

function placeOf({ lane, position }: Record<string, unknown>): string {
  return `${String(lane)}/${String(position)}`;
}

describe('the audit', () => {
  it('says the moment of the account beside the real one', async () => {
    const [opened] = await entries(`&account_id=${clocked}`);
    expect(opened).toMatchObject({ type: 'AccountOpened', account_at: '2031-01-01T00:00:00.000Z' });
    expect(String(opened?.['at']) < '2031').toBe(true);
    const systems = (await entries()).filter(({ account_id: id }) => id === null);
    expect(new Set(systems.map(({ account_at: at }) => at))).toEqual(new Set([null]));
  });

  it('holds every change and nothing else', async () => {
    const { rows } = await stage.pool.query<{ place: string }>(
      `select lane || '/' || position as place from event
        where lane = 0 or data ->> 'by' is not null`,
    );
    const places = rows.map(({ place }) => place);
    expect((await entries()).map(placeOf).toSorted()).toEqual(places.toSorted());
    const types = (await entries()).map(({ type }) => type);
    expect(types).not.toContain('CallMade');
    expect(types).toEqual(
      expect.arrayContaining(['AdminTokenIssued', 'WebhookCreated', 'AccountOpened', 'Adjusted']),
    );
  });

  it('says who, when, what, why, by which request, and where in the log', async () => {
    const [entry] = await entries(`&by=${billing.id}`);
    expect(entry).toEqual({
      account_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      by: billing.id,
      by_name: '=Billing run',
      type: 'Adjusted',
      account_id: account,
      account_name: expect.any(String),
      reason: 'A broken answer',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      lane: expect.any(Number),
      position: expect.any(Number),
      data: expect.objectContaining({ credits: 5 }),
    });
    expect(entry?.['data']).not.toHaveProperty('by');
  });

  it('names the holder of ADMIN_TOKEN, and no account where there is none', async () => {
    const [first] = await entries();
    expect(first).toMatchObject({ by: 'owner', by_name: 'ADMIN_TOKEN', account_id: null });
  });

  it('shows real time, wherever the clock of an account stands', async () => {
    const [opened] = await entries(`&account_id=${clocked}`);
    const at = String(opened?.['at']);
    expect([at > middle, at <= (await now())]).toEqual([true, true]);
  });

  it('is as long as what its filters let through', async () => {
    const all = await entries();
    const before = await entries(`&to=${middle}`);
    const after = await entries(`&from=${middle}`);
    expect([...before, ...after]).toEqual(all);
    expect([before.length, after.length]).toEqual([4, 4]);
    const owned = await entries(`&by=owner&account_id=${account}`);
    expect(owned.map(({ type }) => type)).toEqual([
      'AccountOpened',
      'ApiKeyIssued',
      'CreditsGranted',
      'AccountSuspended',
    ]);
    expect(await entries('&by=system')).toEqual([]);
    expect(await entries('&account_id=0197c000-0000-7000-8000-000000000000')).toEqual([]);
  });

  it('turns round', async () => {
    expect(await entries('&order=desc')).toEqual((await entries()).toReversed());
  });

  it('proves to follow from the log', async () => {
    await stage.post('/verify');
    const ended = () => stage.logTools.verifications.state()?.state !== 'running';
    await waitFor('the verification', ended, 25_000);
    const { json } = await stage.get('/verify');
    expect(json).toMatchObject({ status: 'done', intact: true });
    expect((await entries()).at(-1)).toMatchObject({ type: 'VerificationStarted' });
  });

  it.each([
    ['by=somebody', 'by'],
    ['account_id=1', 'account_id'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    ['order=up', 'order'],
    ['after=nonsense', 'after'],
    [`after=${Buffer.from('["audit","1","99","1"]').toString('base64url')}`, 'after'],
    [`after=${Buffer.from('["audit","1","x","1"]').toString('base64url')}`, 'after'],
    ['type=Adjusted', 'type'],
    ['from=2026-11-02&to=2026-11-01', 'from', 'to'],
  ])('refuses %s', async (query, ...names) => {
    const { json } = await stage.get(`/audit?${query}`);
    expect(json).toMatchObject({
      code: 'invalid-parameter',
      parameters: names.map((name) => ({ name })),
    });
  });
});

describe('a page of the audit', () => {
  it.each(['asc', 'desc'])(
    'goes on where the one before ended, %s, while things change',
    async (order) => {
      const before = await entries(`&order=${order}`);
      const seen: string[] = [];
      let after = '';
      do {
        const page = await stage.get(`/audit?limit=3&order=${order}${after}`);
        seen.push(...itemsOf(page).map(placeOf));
        const { next } = page.json as { readonly next: string | null };
        after = next === null ? '' : `&after=${next}`;
        if (seen.length === 6) await stage.post(`/accounts/${clocked}/suspend`);
        if (seen.length === 6) await stage.post(`/accounts/${clocked}/resume`);
      } while (after !== '');
      const added = order === 'asc' ? 2 : 0;
      expect(seen.slice(0, seen.length - added)).toEqual(before.map(placeOf));
      expect(new Set(seen).size).toBe(before.length + added);
    },
  );
});

test('as CSV it comes whole, and no cell is a formula', async () => {
  const { text, headers } = await stage.get('/audit', { accept: 'text/csv' });
  expect(headers['content-type']).toContain('text/csv');
  const lines = text.trimEnd().split('\r\n');
  expect(lines[0]).toBe('at,by,by_name,type,account_id,reason,request_id,lane,position,data');
  expect(lines).toHaveLength((await entries()).length + 1);
  expect(text).toContain("'=Billing run");
});

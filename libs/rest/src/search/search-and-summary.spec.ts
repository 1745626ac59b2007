import { allBeauty } from '#account/scenario.suite.js';
import { FOLDED_WORDS } from '#database/names/folded-names.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { AdminStage, idOf, itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import type { Summary } from '../summary/summary.schemas.js';
import { customer, moveClock } from '../../../../test/setup/invoicing-stage.js';
import { BUYER } from '../../../../test/setup/service.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

const stage = adminStage();
let nails: string;
let other: string;
let callId: string;

beforeAll(async () => {
  nails = await stage.account({ name: 'Nägel & Nails GmbH', external_id: 'crm-4711' });
  await stage.post(`/accounts/${nails}/api-keys`, { label: 'Production' });
  const grant = { credits: 200_000, kind: 'promotional' };
  await stage.post(`/accounts/${nails}/grants`, grant);
  await stage.ask('PUT', `/admin/v1/accounts/${nails}/billing`, {
    body: { ...BUYER, name: 'Nails Holding', email: 'books@nails-holding.example' },
  });
  other = await stage.prepaid({ name: 'Brows' });
  await stage.ask('PATCH', `/admin/v1/accounts/${other}`, { body: { name: 'Lashes' } });
  const members = `/accounts/${other}/members`;
  idOf(await stage.post(members, { email: 'Ada.Lovelace@lashes.example', role: 'viewer' }));
  ({ id: callId } = await stage.call(nails));
  await stage.call(other, { resource: { ...allBeauty, limit: 'top5', region: 'fr' } });
});

async function found(text: string): Promise<string[]> {
  const answer = await stage.get(`/search?q=${encodeURIComponent(text)}`);
  return itemsOf(answer).map(({ type, text: name }) => `${String(type)} ${String(name)}`);
}

describe('a search', () => {
  it.each([
    ['nail', ['account Nägel & Nails GmbH']],
    ['nails gmb', ['account Nägel & Nails GmbH']],
    ['NÄGEL', ['account Nägel & Nails GmbH']],
    ['crm-47', ['account Nägel & Nails GmbH']],
    ['holding', ['account Nägel & Nails GmbH']],
    ['books@nails-holding.example', ['account Nägel & Nails GmbH']],
    ['lovelace', ['member Ada.Lovelace@lashes.example']],
    ['ada.lovelace@LASHES', ['member Ada.Lovelace@lashes.example']],
    ['lash', ['account Lashes', 'member Ada.Lovelace@lashes.example']],
    ['ails', []],
    ['brows', []],
    ["'); drop table event", []],
    ['& | !:*', []],
    ['00000000-0000-4000-8000-0000000000ff', []],
  ])('for %j finds %j', async (text, items) => {
    expect(await found(text)).toEqual(items);
  });

  it('finds an account by its id and the beginning of it, and a call by its id', async () => {
    // Rows of accounts follow the log.
    await waitFor('the row', async () => (await found(nails.toUpperCase())).length > 0);
    expect(await found(nails.toUpperCase())).toEqual(['account Nägel & Nails GmbH']);
    expect(await found(nails.slice(0, 13))).toContain('account Nägel & Nails GmbH');
    const [call] = itemsOf(await stage.get(`/search?q=${callId}`));
    expect(call).toMatchObject({ type: 'call', id: callId, account_id: nails });
  });

  it('finds a call by the beginning of its Call-Id, as pages print it', async () => {
    for (const length of [8, 9, 13, 30]) {
      const hits = itemsOf(await stage.get(`/search?q=${callId.slice(0, length)}`));
      expect(hits).toContainEqual(expect.objectContaining({ type: 'call', id: callId }));
    }
  });

  it('finds an API key by its end, and by its id', async () => {
    const [key] = itemsOf(await stage.get(`/accounts/${nails}/api-keys`));
    const end = String(key?.['last_four']);
    expect(await found(end)).toContain(`api_key …${end}`);
    expect(await found(String(key?.['id']))).toEqual([`api_key …${end}`]);
  });

  it('finds no account by the name that it had, nor an erased one', async () => {
    const erased = await stage.account({ name: 'Zinnober' });
    expect(await found('zinn')).toEqual(['account Zinnober']);
    await stage.post(`/accounts/${erased}/close`, {});
    await stage.post(`/accounts/${erased}/erase`, {});
    expect(await found('zinn')).toEqual([]);
  });

  it.each(['', '?q=', '?q=a', `?q=${'a'.repeat(201)}`])('for "%s" is refused', async (query) => {
    expect((await stage.get(`/search${query}`)).status).toBe(400);
  });

  it('reads by indexes alone', async () => {
    const client = await stage.pool.connect();
    try {
      await client.query('set enable_seqscan = off');
      for (const text of [
        `select from profile where ${FOLDED_WORDS} @@ 'nail:*'::tsquery`,
        `select from account_member where text_words(email) @@ to_tsquery('simple', 'ada:*')`,
        `select from event where type = 'ApiKeyIssued' and data ->> 'last_four' = 'aaaa'`,
        `select from event where lane = 7 and call_id between '${callId}' and '${callId}'`,
      ]) {
        const { rows } = await client.query<Record<string, string>>(`explain ${text}`);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toMatch(
          /profile_folded_words|account_member_words|event_api_key_end|event_call_id/,
        );
      }
    } finally {
      client.release(true);
    }
  });
});

describe('the summary', () => {
  async function summary(): Promise<Summary> {
    stage.now += 31_000;
    // Accounts without a row yet are in no summary; this list waits for their rows.
    await stage.get('/accounts');
    return (await stage.get('/summary')).json as unknown as Summary;
  }

  it('holds the accounts whose spending has changed most, by the same days of two windows', async () => {
    await stage.closeMonths();
    stage.now += WEEK_MS;
    await stage.call(other, { resource: { ...allBeauty, limit: 'top5', region: 'us' } });
    await stage.call(other, { resource: { ...allBeauty, limit: 'top5', region: 'fr' } });
    stage.now += DAY_MS;
    // Today is not over, and does not count.
    await stage.call(other, { resource: { ...allBeauty, limit: 'top5', region: 'kr' } });
    const { changes } = await summary();
    expect(changes.accounts.map(({ account_id: id, difference }) => [id, difference])).toEqual([
      [nails, -50_000],
      [other, 35],
    ]);
    const { from, to } = changes.span;
    for (const { account_id: id, credits } of changes.accounts) {
      const usage = await stage.get(`/accounts/${id}/usage?from=${from}&to=${to}`);
      expect(itemsOf(usage)[0]).toMatchObject({ credits_used: credits });
    }
  });

  it('is that of test accounts until there is another, and shows the last verification', async () => {
    const young = await AdminStage.open();
    await young.account({ test_clock: '2026-11-24T09:00:00Z' });
    await young.get('/accounts');
    const { json: tested } = await young.get('/summary');
    expect([tested['test'], tested['last_verification']]).toEqual([true, null]);
    await young.post('/verify');
    await young.account();
    young.now += 31_000;
    await young.get('/accounts');
    const { json: own } = await young.get('/summary');
    expect(own).toMatchObject({ test: false, last_verification: { status: expect.any(String) } });
    await young.close();
  });

  it('counts overdue invoices of test accounts by the clock of each, as the list does', async () => {
    const tests = await AdminStage.open();
    const overdue = await customer(tests, { plan: undefined });
    const open = await customer(tests, { plan: undefined });
    for (const [id, price] of [
      [overdue, 1_000],
      [overdue, 2_000],
      [open, 4_000],
    ] as const) {
      const purchase = { credits: 1_000, kind: 'purchased', price };
      expect((await tests.post(`/accounts/${id}/grants`, purchase)).status).toBe(201);
    }
    expect((await moveClock(tests, overdue, '2027-01-15T00:00:00+01:00')).status).toBe(200);
    const listed = itemsOf(await tests.get('/invoices?status=overdue'));
    expect(listed.map(({ total }) => total)).toEqual([1_000, 2_000]);
    const { json } = await tests.get('/summary');
    expect(json['money']).toMatchObject([{ due: 7_000, overdue: 3_000, overdue_invoices: 2 }]);
    await tests.close();
  });

  it('is kept for half a minute', async () => {
    const { at } = await summary();
    stage.now += 20_000;
    expect((await stage.get('/summary')).json['at']).toBe(at);
    stage.now += 10_000;
    expect((await stage.get('/summary')).json['at']).not.toBe(at);
  });

  it('counts the refused calls of a day by reason', async () => {
    const at = (ago: number): string => new Date(stage.now - ago).toISOString();
    for (const [account, code, ago, times] of [
      [nails, 'out-of-credits', 60_000, 5],
      [other, 'out-of-credits', 120_000, 2],
      [other, 'rate-limited', 60_000, 1],
      [other, 'forbidden', 2 * DAY_MS, 9],
    ] as const) {
      await stage.pool.query(
        `insert into refused_call (account_id, hour, api_key_id, code, path, first_at, last_at, position, times)
         values ($1, $2, $1, $3, '/v1/x', $2, $2, 1, $4)`,
        [account, at(ago), code, times],
      );
    }
    const { refusals } = await summary();
    expect(refusals).toMatchObject({
      calls: 8,
      accounts: 2,
      reasons: [
        { code: 'out-of-credits', calls: 7, accounts: 2 },
        { code: 'rate-limited', calls: 1, accounts: 1 },
      ],
    });
  });
});

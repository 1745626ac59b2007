import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { ADMIN_TOKEN } from '../../../../test/setup/stage-settings.js';
import { portalStage } from '../../../../test/setup/stages.js';

const stage = portalStage();
let account: string;
let support: { readonly id: string; readonly token: string };
const lines: object[] = [];

beforeAll(async () => {
  const { admin } = stage;
  admin.logger.info = (members: object): void => void lines.push(members);
  admin.logger.warn = (members: object): void => void lines.push(members);
  account = await admin.account();
  const { json } = await admin.post('/admin-tokens', { name: 'Help desk', role: 'support' });
  support = { id: String(json['id']), token: String(json['token']) };
});

async function entries(query: string): Promise<Record<string, unknown>[]> {
  return itemsOf(await stage.admin.get(`/audit?limit=1000${query}`));
}

async function ofType(type: string, query = ''): Promise<Record<string, unknown>[]> {
  return (await entries(query)).filter((entry) => entry['type'] === type);
}

function signIn(token: string) {
  return stage.admin.ask('POST', '/admin/v1/session', { authorization: null, body: { token } });
}

it('holds who signed in to the console, and so does the log', async () => {
  expect((await signIn(support.token)).status).toBe(200);
  expect(await ofType('SignedIn', `&by=${support.id}`)).toEqual([
    {
      account_at: null,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      by: support.id,
      by_name: 'Help desk',
      type: 'SignedIn',
      account_id: null,
      account_name: null,
      reason: null,
      request_id: null,
      lane: null,
      position: null,
      data: { door: 'console', address: '127.0.0.1', times: 1 },
    },
  ]);
  expect(lines).toContainEqual({
    outcome: 'signed-in',
    address: '127.0.0.1',
    door: 'console',
    by: support.id,
  });
});

it('holds who signed in to the portal, with the account', async () => {
  await stage.signIn(account, 'viewer');
  const [entry] = await ofType('SignedIn', `&account_id=${account}`);
  expect(entry).toMatchObject({
    by_name: 'a viewer in the portal',
    account_id: account,
    data: { door: 'portal', address: '127.0.0.1', times: 1 },
  });
});

it('holds failed sign-ins of a minute as one entry with their number, and the log too', async () => {
  const sent = Array.from({ length: 7 }, async () => signIn('a-guess-that-opens-nothing'));
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 401));
  await stage.admin.ask('GET', '/admin/v1/accounts', { authorization: 'Bearer another-guess' });
  await stage.ask('POST', '/portal/v1/session', { body: { token: 'pixlink_guess' } });
  const failed = await ofType('SignInFailed');
  const counts = failed.map(({ by, data }) => [by, data]);
  const address = '127.0.0.1';
  expect(sumOf(counts, 'console')).toBe(7);
  expect(counts).toContainEqual([null, { door: 'admin', address, times: 1 }]);
  expect(counts).toContainEqual([null, { door: 'portal', address, times: 1 }]);
  // A new minute may have begun while they were sent.
  expect(failed.length).toBeLessThanOrEqual(4);
  expect(lines).toContainEqual({ outcome: 'sign-in-failed', address, door: 'console' });
});

function sumOf(counts: readonly unknown[][], door: string): number {
  return counts
    .map(([, data]) => data as { readonly door: string; readonly times: number })
    .filter((data) => data.door === door)
    .reduce((sum, { times }) => sum + times, 0);
}

it('holds roles that were denied, by whom and on which route, and the log too', async () => {
  const authorization = `Bearer ${support.token}`;
  const denied = { authorization, body: { name: 'No' } };
  const { status } = await stage.admin.ask('POST', '/admin/v1/accounts', denied);
  expect(status).toBe(403);
  const route = '/admin/v1/accounts';
  const [entry] = await ofType('RoleDenied', `&by=${support.id}`);
  expect(entry?.['data']).toEqual({ door: 'admin', address: '127.0.0.1', route, times: 1 });
  expect(lines).toContainEqual(
    expect.objectContaining({ outcome: 'role-denied', by: support.id, route }),
  );
  const viewer = await stage.signIn(account, 'viewer');
  expect((await stage.post('/api-keys', viewer, { label: 'No' })).status).toBe(403);
  expect(await ofType('RoleDenied', `&account_id=${account}`)).toMatchObject([
    { by_name: 'a viewer in the portal', data: { door: 'portal' } },
  ]);
});

it('holds nothing of a request that sends no credentials', async () => {
  const before = (await ofType('SignInFailed')).length;
  const { status } = await stage.admin.ask('GET', '/admin/v1/session', { authorization: null });
  expect(status).toBe(401);
  expect(await ofType('SignInFailed')).toHaveLength(before);
});

it.each(['asc', 'desc'])('pages through changes and sign-ins by moment, %s', async (order) => {
  const all = await entries(`&order=${order}`);
  const moments = all.map(({ at }) => String(at));
  expect(moments.toSorted()).toEqual(order === 'asc' ? moments : moments.toReversed());
  const seen: unknown[] = [];
  let after = '';
  do {
    const page = await stage.admin.get(`/audit?limit=2&order=${order}${after}`);
    seen.push(...itemsOf(page));
    const { next } = page.json as { readonly next: string | null };
    after = next === null ? '' : `&after=${next}`;
  } while (after !== '');
  expect(seen).toEqual(all);
  expect(new Set(all.map(({ lane }) => lane === null)).size).toBe(2);
});

it('goes by moment and as CSV like changes do', async () => {
  const [signedIn] = await ofType('SignedIn');
  const at = String(signedIn?.['at']);
  expect((await ofType('SignedIn', `&from=${at}`))[0]).toEqual(signedIn);
  expect(await ofType('SignedIn', `&to=${at}`)).toEqual([]);
  const { text } = await stage.admin.get('/audit', { accept: 'text/csv' });
  expect(text).toContain('SignInFailed');
  expect(text).not.toContain(ADMIN_TOKEN);
});

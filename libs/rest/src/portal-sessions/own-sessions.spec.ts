import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { portalStage } from '../../../../test/setup/stages.js';

const stage = portalStage();
let account: string;

beforeEach(async () => {
  account = await stage.admin.account();
});

async function sessionsOf(cookie: string) {
  return itemsOf(await stage.get('/sessions', cookie));
}

async function idOf(cookie: string): Promise<string> {
  return String((await stage.get('/session', cookie)).json['id']);
}

async function end(cookie: string, id: string): Promise<number> {
  return (await stage.ask('DELETE', `/portal/v1/sessions/${id}`, { cookie })).status;
}

async function statusOf(cookie: string): Promise<number> {
  return (await stage.get('/session', cookie)).status;
}

test('a session sees the links and sessions of its account alone, and which one it is', async () => {
  await stage.signIn(await stage.admin.account());
  const viewer = await stage.signIn(account, 'viewer');
  const manager = await stage.signIn(account);
  const { id } = await stage.link(account);
  const seen = await sessionsOf(viewer);
  expect(seen).toMatchObject([
    { id: await idOf(viewer), role: 'viewer', status: 'active', current: true },
    { id: await idOf(manager), role: 'manager', status: 'active', current: false },
    { id, status: 'unused', current: false },
  ]);
  expect(seen[0]).not.toHaveProperty('opened_by');
});

test('a manager ends any session and link of the account, which is over at once', async () => {
  const manager = await stage.signIn(account);
  const viewer = await stage.signIn(account, 'viewer');
  const { id, token } = await stage.link(account);
  expect(await end(manager, await idOf(viewer))).toBe(204);
  expect(await statusOf(viewer)).toBe(401);
  expect(await end(manager, id)).toBe(204);
  const late = await stage.ask('POST', '/portal/v1/session', { body: { token } });
  expect(late.status).toBe(401);
  expect(await end(manager, await idOf(manager))).toBe(204);
  expect(await statusOf(manager)).toBe(401);
});

test('a viewer ends its own session and no other', async () => {
  const manager = await stage.signIn(account);
  const viewer = await stage.signIn(account, 'viewer');
  expect(await end(viewer, await idOf(manager))).toBe(403);
  expect(await statusOf(manager)).toBe(200);
  expect(await end(viewer, await idOf(viewer))).toBe(204);
  expect(await statusOf(viewer)).toBe(401);
});

test('a session of another account is none that can be ended', async () => {
  const other = await stage.signIn(await stage.admin.account());
  const manager = await stage.signIn(account);
  expect(await end(manager, await idOf(other))).toBe(404);
  expect(await statusOf(other)).toBe(200);
});

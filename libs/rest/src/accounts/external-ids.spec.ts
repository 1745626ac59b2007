import { idOf, itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();

const found = async (query: string): Promise<unknown[]> =>
  itemsOf(await stage.get(`/accounts?${query}`)).map(({ id }) => id);

test('an account is found by its external id, and by a part of it', async () => {
  const id = await stage.account({ external_id: 'CRM-0815', metadata: { owner: 'Ann' } });
  const { json } = await stage.get(`/accounts/${id}`);
  expect(json).toMatchObject({ external_id: 'CRM-0815', metadata: { owner: 'Ann' } });
  expect(await found('external_id=CRM-0815')).toEqual([id]);
  expect(await found('external_id=CRM-081')).toEqual([]);
  expect(await found('search=crm-08')).toEqual([id]);
});

test('of many accounts that want the same id at once one gets it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => stage.post('/accounts', { name: 'A', external_id: 'one' })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(11);
  expect(await found('external_id=one')).toHaveLength(1);
});

test('a retry of an opening is answered as the first one, also after the id has moved on', async () => {
  const body = { name: 'A', external_id: 'moving' };
  const first = await stage.post('/accounts', body, 'open-moving');
  const id = idOf(first);
  await stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body: { external_id: null } });
  const other = await stage.account({ external_id: 'moving' });
  const again = await stage.post('/accounts', body, 'open-moving');
  expect(again.json).toEqual(first.json);
  expect(await found('external_id=moving')).toEqual([other]);
});

test('a change sets what it names: pairs by name, null removes', async () => {
  const id = await stage.account({ external_id: 'a', metadata: { one: '1', two: '2' } });
  const change = (body: object) => stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body });
  expect((await change({ metadata: { two: null, three: '3' } })).json).toMatchObject({
    name: 'Nails & Co',
    external_id: 'a',
    metadata: { one: '1', three: '3' },
  });
  expect((await change({ name: 'New', external_id: 'b' })).json).toMatchObject({
    name: 'New',
    external_id: 'b',
    metadata: { one: '1', three: '3' },
  });
  const { version } = (await stage.get(`/accounts/${id}`)).json;
  expect((await change({ name: 'New', metadata: { one: '1' } })).json['version']).toBe(version);
});

test('pairs are bounded, also where changes add up', async () => {
  const pairs = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${from + at}`, 'x']));
  const id = await stage.account({ metadata: pairs(0, 20) });
  const change = (metadata: object) =>
    stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body: { metadata } });
  expect((await change(pairs(20, 1))).status).toBe(409);
  expect((await change(pairs(0, 21))).status).toBe(400);
  expect((await change({ n0: null, ...pairs(20, 1) })).status).toBe(200);
  expect((await change({ 'a b': 'x' })).status).toBe(400);
  expect((await change({ long: 'x'.repeat(501) })).status).toBe(400);
});

test('changes of labels at the same time lose nothing: one is refused or both are made', async () => {
  const id = await stage.account();
  const change = (body: object) => stage.ask('PATCH', `/admin/v1/accounts/${id}`, { body });
  const answers = await Promise.all([
    change({ metadata: { a: '1' } }),
    change({ metadata: { b: '2' } }),
    change({ name: 'New' }),
  ]);
  const { json } = await stage.get(`/accounts/${id}`);
  const [a, b, name] = answers.map(({ status }) => status === 200);
  expect(json['metadata']).toEqual({ ...(a && { a: '1' }), ...(b && { b: '2' }) });
  expect(json['name']).toBe(name ? 'New' : 'Nails & Co');
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});

test('a claim whose account never got the id is taken over after a while, and no other', async () => {
  const nobody = '00000000-0000-4000-8000-0000000000aa';
  await stage.pool.query(
    'insert into account_external_id (external_id, account_id) values ($1, $2)',
    ['left', nobody],
  );
  const open = (external_id: string) => stage.post('/accounts', { name: 'A', external_id });
  expect((await open('left')).status).toBe(409);
  await stage.account({ external_id: 'held' });
  await stage.pool.query(`update account_external_id set claimed_at = now() - interval '1 day'`);
  expect((await open('left')).status).toBe(201);
  expect((await open('held')).status).toBe(409);
});

test('erasing blanks both, and another account may have the id', async () => {
  const id = await stage.account({ external_id: 'gone', metadata: { owner: 'Ann' } });
  await stage.post(`/accounts/${id}/close`);
  const { json } = await stage.post(`/accounts/${id}/erase`);
  expect(json).toMatchObject({ name: null, external_id: null, metadata: {} });
  expect(await found('external_id=gone')).toEqual([]);
  expect((await stage.post('/accounts', { name: 'A', external_id: 'gone' })).status).toBe(201);
});

import { EVERY_EVENT } from '#event-log/every-event.suite.js';
import pg from 'pg';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { Profiles } from '#projections/texts/profiles.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import { itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { AdminTokens } from './admin-tokens.js';
import { tokenHash } from './new-admin-token.js';
import { TokenUses } from './token-uses.js';

const SECOND = 1_000;

const stage = adminStage();

async function issue(members: object = {}): Promise<{ id: string; token: string }> {
  const { status, json, text } = await stage.post('/admin-tokens', {
    name: "Ada's laptop",
    role: 'support',
    ...members,
  });
  if (status !== 201) throw new Error(text);
  return { id: String(json['id']), token: String(json['token']) };
}

/** The token as the list shows it. */
async function shown(id: string): Promise<Record<string, unknown> | undefined> {
  return itemsOf(await stage.get('/admin-tokens')).find((item) => item['id'] === id);
}

/** `ms` later than now. */
function later(ms: number): string {
  return new Date(stage.now + ms).toISOString();
}

function read(token: string): Promise<Answered> {
  return stage.ask('GET', '/admin/v1/accounts', { authorization: `Bearer ${token}` });
}

function revoke(id: string, authorization?: string): Promise<Answered> {
  const asked = authorization === undefined ? {} : { authorization };
  return stage.ask('DELETE', `/admin/v1/admin-tokens/${id}`, asked);
}

/** The tokens as another process on the same database knows them. */
function elsewhere(pool: pg.Pool): AdminTokens {
  const clock = { now: () => stage.now };
  const system = new SystemStream(new PostgresEventLog(pool));
  return new AdminTokens({
    system,
    changes: new SystemChanges(system, clock),
    profiles: new Profiles(pool),
    pool,
    uses: new TokenUses(pool, (error) => stage.errors.push(error)),
    clock,
  });
}

describe('an admin token', () => {
  it('is shown once, opens what its role may, and is nowhere in the database', async () => {
    const { token } = await issue();
    expect((await read(token)).status).toBe(200);
    const list = await stage.get('/admin-tokens');
    expect(list.text).not.toContain(token);
    const events = await stage.pool.query<{ text: string }>('select data::text as text from event');
    const names = await stage.pool.query<{ text: string }>(
      'select body::text as text from profile',
    );
    const stored = [...events.rows, ...names.rows].map(({ text }) => text).join('');
    expect(stored).toContain("Ada's laptop");
    expect(stored).not.toContain(token.slice(7));
  });

  it('has its name beside the log, where it can be erased', async () => {
    await issue({ reason: 'For the desk.' });
    const event = (await stage.stream.read(EVERY_EVENT)).at(-1);
    expect(event?.type).toBe('AdminTokenIssued');
    expect(event?.data).not.toContain('Ada');
    expect(event?.data).toContain('For the desk.');
  });

  it('is listed with who issued it and when it was last used, to the minute', async () => {
    const [issuedAt, minuteLater] = [later(0), later(60 * SECOND)];
    const { id, token } = await issue({ expires_at: '2027-01-01T00:00:00Z' });
    const used = async (): Promise<unknown> => (await shown(id))?.['last_used_at'];
    expect(await used()).toBeNull();
    await read(token);
    await waitFor('the use', async () => (await used()) === issuedAt);
    stage.now += 59 * SECOND;
    await read(token);
    stage.now += SECOND;
    await read(token);
    await waitFor('the next use', async () => (await used()) === minuteLater);
    expect(await shown(id)).toEqual({
      id,
      name: "Ada's laptop",
      role: 'support',
      prefix: 'pixadm_',
      last_four: token.slice(-4),
      status: 'active',
      issued_by: 'owner',
      issued_at: issuedAt,
      expires_at: '2027-01-01T00:00:00Z',
      revoked_at: null,
      last_used_at: minuteLater,
    });
  });

  it('opens nothing from the moment on at which it expires', async () => {
    const { id, token } = await issue({ expires_at: later(SECOND) });
    stage.now += SECOND - 1;
    expect((await read(token)).status).toBe(200);
    stage.now += 1;
    expect((await read(token)).json['code']).toBe('invalid-key');
    expect(await shown(id)).toMatchObject({ status: 'expired' });
  });

  it('expires in the future', async () => {
    const body = { name: 'A', role: 'data', expires_at: later(0) };
    expect((await stage.post('/admin-tokens', body)).json['code']).toBe('conflict');
  });

  it('signs what is done with it', async () => {
    const { id, token } = await issue({ role: 'billing' });
    const authorization = `Bearer ${token}`;
    const opened = await stage.ask('POST', '/admin/v1/accounts', {
      body: { name: 'A' },
      authorization,
    });
    const events = await stage.get(`/accounts/${String(opened.json['id'])}/events`);
    expect(itemsOf(events)[0]).toMatchObject({ data: { by: id } });
  });

  it('is issued once under an idempotency key, whose retry is answered without the secret', async () => {
    const body = { name: 'One', role: 'owner' };
    const first = await stage.post('/admin-tokens', body, 'one');
    const { token, ...shown } = first.json;
    const retry = await stage.post('/admin-tokens', body, 'one');
    expect([retry.status, retry.headers['idempotent-replayed'], retry.json]).toEqual([
      201,
      'true',
      shown,
    ]);
    expect((await read(String(token))).status).toBe(200);
    const other = await stage.post('/admin-tokens', { ...body, role: 'data' }, 'one');
    expect(other.json['code']).toBe('idempotency-conflict');
    const named = itemsOf(await stage.get('/admin-tokens')).filter(({ name }) => name === 'One');
    expect(named).toHaveLength(1);
  });
});

describe('a revoked admin token', () => {
  it('opens nothing any more, in this process and in others', async () => {
    const { id, token } = await issue();
    const other = elsewhere(stage.pool);
    expect(await other.find(tokenHash(token))).toMatchObject({ id, status: 'active' });
    expect((await revoke(id)).status).toBe(204);
    const { code, detail } = (await read(token)).json;
    expect([code, detail]).toEqual([
      'invalid-key',
      expect.stringMatching(/^The admin token was revoked at 20/),
    ]);
    expect(await other.find(tokenHash(token))).toMatchObject({ id, status: 'revoked' });
    expect(await shown(id)).toMatchObject({ status: 'revoked' });
  });

  it('is revoked once, however often it is asked for', async () => {
    const { id } = await issue();
    await revoke(id);
    const { length } = await stage.stream.read(EVERY_EVENT);
    expect((await revoke(id)).status).toBe(204);
    expect(await stage.stream.read(EVERY_EVENT)).toHaveLength(length);
  });

  it('may have revoked itself: ADMIN_TOKEN still opens everything', async () => {
    const { id, token } = await issue({ role: 'owner' });
    expect((await revoke(id, `Bearer ${token}`)).status).toBe(204);
    expect((await revoke(id, `Bearer ${token}`)).json['code']).toBe('invalid-key');
    expect((await stage.get('/admin-tokens')).status).toBe(200);
  });

  it('is never ADMIN_TOKEN', async () => {
    expect((await revoke('owner')).json['code']).toBe('invalid-parameter');
  });
});

test('a token that another process has issued a moment ago opens the door', async () => {
  const other = elsewhere(stage.pool);
  await other.list({ limit: 10, order: 'asc' });
  const { token } = await issue();
  expect(await other.find(tokenHash(token))).toBeDefined();
});

test('the list goes on where the page before ended, while tokens come and go', async () => {
  const ids = itemsOf(await stage.get('/admin-tokens')).map(({ id }) => String(id));
  for (const name of ['A', 'B', 'C']) ids.push((await issue({ name })).id);
  const first = await stage.get('/admin-tokens?limit=2');
  await revoke(ids.at(-1) ?? '');
  ids.push((await issue({ name: 'D' })).id);
  const rest = await stage.get(`/admin-tokens?after=${String(first.json['next'])}`);
  expect([first, rest].flatMap(itemsOf).map(({ id }) => id)).toEqual(ids);
});

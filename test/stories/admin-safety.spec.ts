import { ask, Service, type Answer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { waitFor } from '../setup/wait-for.js';

/** One process that does everything, and two more on the same database. */
let service: Service;
let split: SplitService;

beforeAll(async () => {
  service = await Service.start();
  split = await SplitService.start(service.databaseUrl);
}, 180_000);

afterAll(async () => {
  await split.stop();
  await service.stop();
});

interface Token {
  readonly id: string;
  readonly secret: string;
}

async function issue(role: string, name = `The ${role}`): Promise<Token> {
  const { status, body, text } = await service.admin('/admin-tokens', { name, role });
  if (status !== 201) throw new Error(text);
  return { id: String(body.id), secret: String(body.token) };
}

/** The same request to each of the two processes that serve the admin REST. */
function both(path: string, { secret }: Token): Promise<readonly number[]> {
  const urls = [service, split].map(({ adminUrl }) => `${adminUrl}/admin/v1${path}`);
  return Promise.all(urls.map(async (url) => (await ask(url, secret)).status));
}

async function audit(query: string): Promise<Record<string, unknown>[]> {
  const { body } = await split.admin(`/audit?limit=1000${query}`);
  return body.items as Record<string, unknown>[];
}

describe('an admin token', () => {
  it('opens in every process what its role may, from the moment on at which it is issued', async () => {
    const support = await issue('support');
    expect(await both('/accounts', support)).toEqual([200, 200]);
    const data = await issue('data');
    expect(await both('/releases', data)).toEqual([200, 200]);
    expect(await both('/accounts', data)).toEqual([403, 403]);
  });

  it('opens nothing any more in any process once it is revoked', async () => {
    const token = await issue('billing');
    expect(await both('/accounts', token)).toEqual([200, 200]);
    const revoked = await service.admin(`/admin-tokens/${token.id}`, undefined, 'DELETE');
    expect(revoked.status).toBe(204);
    expect(await both('/accounts', token)).toEqual([401, 401]);
  });

  it('survives a restart, and so do its end and a sign-in with it just before', async () => {
    const [kept, revoked] = [await issue('support'), await issue('support')];
    await split.admin(`/admin-tokens/${revoked.id}`, { reason: 'Lost.' }, 'DELETE');
    const asked = { method: 'POST', body: { token: kept.secret } };
    expect((await ask(`${split.adminUrl}/admin/v1/session`, '', asked)).status).toBe(200);
    await split.accounting.stop();
    const { body } = await service.admin(`/audit?by=${kept.id}`);
    expect(body.items).toMatchObject([{ type: 'SignedIn', data: { door: 'console', times: 1 } }]);
    await split.restartAccounting();
    expect(await both('/accounts', kept)).toEqual([200, 200]);
    expect(await both('/accounts', revoked)).toEqual([401, 401]);
  }, 60_000);
});

describe('the audit', () => {
  it('lists in one process the changes of another, each with its token', async () => {
    const token = await issue('billing', 'Grace');
    const account = await service.customer(0);
    const url = `${service.adminUrl}/admin/v1/accounts/${account.accountId}/adjustments`;
    const body = { credits: 7, reason: 'A gift' };
    const adjusted: Answer = await ask(url, token.secret, { method: 'POST', body });
    expect(adjusted.status).toBe(201);
    expect(await audit(`&by=${token.id}`)).toMatchObject([
      {
        by_name: 'Grace',
        type: 'Adjusted',
        account_id: account.accountId,
        reason: 'A gift',
        request_id: adjusted.headers.get('request-id'),
      },
    ]);
  });

  it('lists who started what on the log itself', async () => {
    const { status } = await service.admin('/verify', { reason: 'Every Monday' }, 'POST');
    expect(status).toBe(202);
    const last = (await audit('&by=owner')).at(-1);
    expect(last).toMatchObject({ type: 'VerificationStarted', reason: 'Every Monday' });
    const ended = async () => (await service.admin('/verify')).body.status !== 'running';
    await waitFor('the verification', ended, 60_000);
    expect((await service.admin('/verify')).body).toMatchObject({ status: 'done', intact: true });
  }, 90_000);
});

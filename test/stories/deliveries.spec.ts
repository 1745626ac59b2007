import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { Receiver, silence, status } from '#deliveries/receiver.suite.js';
import { freePort } from '../setup/free-port.js';
import { quickest } from '../setup/quickest.js';
import { ServiceProcess } from '../setup/service-process.js';
import { ADMIN_TOKEN, Service, ServiceClient, type Customer } from '../setup/service.js';
import { createTestDatabase } from '../setup/test-database.js';
import { waitFor } from '../setup/wait-for.js';

const TREND = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const NONE = 'http://127.0.0.1:1';

interface Notification {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly subject?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(() => receiver.close());

function notifications(): Notification[] {
  return receiver.received.map(({ body }) => JSON.parse(body) as Notification);
}

async function webhook(service: ServiceClient, members: object = {}) {
  const { status: code, body } = await service.admin('/webhooks', {
    url: receiver.url(),
    ...members,
  });
  expect(code).toBe(201);
  return { id: String(body['id']), secret: String(body['secret']) };
}

async function hear(count: number): Promise<void> {
  await waitFor(`${count} events have arrived`, () => receiver.received.length >= count, 30_000);
}

describe('a service', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  }, 90_000);

  afterAll(() => service.stop());

  it('notifies a customer of events of the account, in the time of the account', async () => {
    const terms = { test_clock: '2026-11-30T09:00:00Z', low_balance_credits: 1_000 };
    const customer: Customer = await service.customer(0, terms);
    const { accountId } = customer;
    const { secret } = await webhook(service, { account_id: accountId });
    await service.admin(`/accounts/${accountId}/grants`, {
      credits: 1_000,
      kind: 'promotional',
      expires_at: '2026-12-02T00:00:00Z',
    });
    expect((await customer.get(TREND)).status).toBe(200);
    await hear(1);
    await service.moveClock(accountId, '2026-12-03T00:00:00Z');
    await hear(3);
    const byTime = notifications().toSorted((one, other) => (one.time < other.time ? -1 : 1));
    expect(byTime).toMatchObject([
      { type: 'balance.low', time: '2026-11-30T09:00:00.000Z', data: { balance: 965 } },
      {
        type: 'window.closed',
        time: '2026-12-01T00:00:00.000Z',
        data: { window: '2026w48', calls: 1, base_calls: 1, credits_used: 35 },
      },
      { type: 'grant.expired', time: '2026-12-02T00:00:00.000Z', data: { credits: 965 } },
    ]);
    for (const { headers, body } of receiver.received) {
      const verified = new Webhook(secret).verify(
        body,
        headers as Record<string, string>,
      ) as Notification;
      expect(verified).toMatchObject({ id: headers['webhook-id'], subject: accountId });
    }
  });

  it('notifies of an issued key within a second or two', async () => {
    await webhook(service, { events: ['api_key.issued'] });
    const tookMs = await quickest(5_000, async () => {
      receiver.received.length = 0;
      const startedAt = performance.now();
      const { accountId } = await service.customer(0);
      await hear(1);
      expect(notifications()).toMatchObject([{ type: 'api_key.issued', subject: accountId }]);
      return performance.now() - startedAt;
    });
    expect(tookMs).toBeLessThan(5_000);
  });
});

describe('an accounting process', () => {
  it('refuses private addresses unless they are allowed, and says what is sent', async () => {
    const { service, stop } = await accounting({});
    const refused = await service.admin('/webhooks', { url: receiver.url() });
    expect(refused.body).toMatchObject({
      code: 'invalid-body',
      errors: [{ pointer: '/url', detail: 'Only https is taken.' }],
    });
    await stop();
  }, 60_000);

  it('that is killed while it sends is followed by one that sends the same again', async () => {
    const first = await accounting({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    const { id, secret } = await webhook(first.service);
    receiver.answer = silence;
    const opened = await first.service.admin('/accounts', { name: 'Nadja' });
    await first.service.admin(`/accounts/${String(opened.body['id'])}/api-keys`, { label: 'a' });
    await hear(1);
    await first.process.stop('SIGKILL');
    receiver.answer = status(204);
    await leaseEnds(first.databaseUrl);
    const second = await first.again();
    await hear(2);
    const [before, after] = receiver.received;
    expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
    expect(after?.body).toBe(before?.body);
    // The secret opens with what both processes were given.
    new Webhook(secret).verify(after?.body ?? '', after?.headers as Record<string, string>);
    const delivered = async (): Promise<boolean> => {
      const { body } = await second.admin(`/webhooks/${id}/deliveries?status=delivered`);
      return (body['items'] as unknown[]).length === 1;
    };
    await waitFor('the delivery is written down', delivered);
    await first.stop();
  }, 90_000);
});

/** Frees the claims of the killed process, as half a minute would. */
async function leaseEnds(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query(
    'update delivery set claimed_until = now() where claimed_until > now()',
  );
  await client.end();
  expect(rowCount).toBe(1);
}

/** An accounting process on a database of its own. */
async function accounting(env: Readonly<Record<string, string>>) {
  const database = await createTestDatabase();
  const [admin, charging, portal] = [await freePort(), await freePort(), await freePort()];
  const adminUrl = `http://127.0.0.1:${admin}`;
  const settings = {
    DATABASE_URL: database.url,
    ADMIN_TOKEN,
    CHARGING_SECRET: 'a-charging-secret-of-the-tests-0123456789',
    ACCOUNTING_PORT: String(admin),
    CHARGING_PORT: String(charging),
    PORTAL_PORT: String(portal),
    ...env,
  };
  const spawn = (): ServiceProcess => ServiceProcess.spawn('accounting', settings, adminUrl);
  const service = new ServiceClient(NONE, adminUrl);
  let running = await spawn().ready();
  return {
    service,
    databaseUrl: database.url,
    process: running,
    /** Starts another one in its place. */
    again: async (): Promise<ServiceClient> => {
      running = await spawn().ready();
      return service;
    },
    stop: async (): Promise<void> => {
      await running.stop();
      await database.drop();
    },
  };
}

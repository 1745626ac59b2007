import { change, DeliveryStage } from './delivery-stage.suite.js';
import { SecretSweep } from './secret-sweep.js';
import { WebhookReads } from './webhook-reads.js';
import { OLD_SECRET_SIGNS_MS } from './webhook.js';

const URL = 'http://127.0.0.1:1/hook';

let stage: DeliveryStage;

beforeAll(async () => {
  stage = await DeliveryStage.open();
});
afterEach(async () => {
  await stage.pool.query('truncate secret, portal_api_key');
});
afterAll(async () => {
  expect(stage.faults).toEqual([]);
  await stage.close();
});

async function rows(): Promise<string[]> {
  const { rows: found } = await stage.pool.query<{ id: string }>('select id from secret');
  return found.map(({ id }) => id);
}

/** Those of a webhook, newest first. */
async function secretsOf(id: string): Promise<string[]> {
  const webhook = await new WebhookReads(stage.system, stage.clock).one(id);
  return webhook.secrets.map((secret) => secret.id);
}

/** As if every row had been there for two hours. */
async function age(): Promise<void> {
  await stage.pool.query(`update secret set created_at = now() - interval '2 hours'`);
}

function sweep(inMs: number): Promise<void> {
  const clock = { now: () => stage.clock.now() + inMs };
  const webhooks = new WebhookReads(stage.system, clock);
  const { secrets } = stage.deliveries();
  const onFault = (error: unknown): void => void stage.faults.push(error);
  return new SecretSweep({ webhooks, secrets, onFault }).sweep();
}

describe('the secret of a webhook', () => {
  it('is dropped when its 24 hours beside its successor are over, and not before', async () => {
    const { id } = await stage.webhook(URL);
    await stage.deliveries().webhooks.rotate(id, change());
    const [present = '', old = ''] = await secretsOf(id);
    await age();
    await sweep(OLD_SECRET_SIGNS_MS - 60_000);
    expect((await rows()).toSorted()).toEqual([present, old].toSorted());
    await sweep(OLD_SECRET_SIGNS_MS + 60_000);
    expect(await rows()).toEqual([present]);
  });

  it('leaves nothing behind when it is replaced more than ten times, or its webhook removed', async () => {
    const { id } = await stage.webhook(URL);
    for (let n = 0; n < 15; n++) await stage.deliveries().webhooks.rotate(id, change());
    expect((await rows()).toSorted()).toEqual((await secretsOf(id)).toSorted());
    expect(await rows()).toHaveLength(11);
    await stage.deliveries().webhooks.remove(id, change());
    expect(await rows()).toEqual([]);
  });

  it('is kept while its event may be on its way, and is dropped when none came', async () => {
    await stage.deliveries().secrets.save('whsec_of_a_process_that_fell');
    await sweep(0);
    expect(await rows()).toHaveLength(1);
    await age();
    await sweep(0);
    expect(await rows()).toEqual([]);
  });

  it('is not mistaken for the secret of an account`s own API key', async () => {
    const { id } = await stage.deliveries().secrets.save('pix_live_of_the_portal');
    await stage.pool.query('insert into portal_api_key values ($1, $1, $1)', [id]);
    await age();
    await sweep(0);
    expect(await rows()).toEqual([id]);
  });
});

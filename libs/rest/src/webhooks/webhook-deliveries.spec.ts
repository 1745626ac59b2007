import { randomUUID } from 'node:crypto';
import { idOf, itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { Receiver, status } from '#deliveries/receiver.suite.js';

const HOUR = 3_600_000;

const stage = adminStage();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(() => receiver.close());

async function webhook(members: object = {}): Promise<Readonly<Record<string, unknown>>> {
  const made = await stage.post('/webhooks', { url: receiver.url(), ...members });
  idOf(made);
  return made.json;
}

function remove(id: unknown): Promise<Answered> {
  return stage.ask('DELETE', `/admin/v1/webhooks/${String(id)}`);
}

async function lane0(): Promise<string[]> {
  return (await stage.log.read(0, 0, 1_000)).map(({ type }) => type);
}

describe('a rotation', () => {
  it('lets the secret before sign for 24 hours', async () => {
    const { id, secret } = await webhook();
    const path = `/webhooks/${String(id)}`;
    const rotated = await stage.post(`${path}/rotate`, { reason: 'Leaked.' });
    expect(rotated.status).toBe(200);
    expect(rotated.json).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      secret_rotated_at: '2026-11-24T09:00:00.000Z',
      old_secret_signs_until: '2026-11-25T09:00:00.000Z',
    });
    expect(rotated.json['secret']).not.toBe(secret);
    const signed = async (): Promise<number> => {
      await stage.post(`${path}/test`);
      const headers = receiver.received.at(-1)?.headers;
      return String(headers?.['webhook-signature']).split(' ').length;
    };
    expect(await signed()).toBe(2);
    stage.now += 24 * HOUR;
    expect(await signed()).toBe(1);
    expect((await stage.get(path)).json).toMatchObject({ old_secret_signs_until: null });
    stage.now -= 24 * HOUR;
  });
});

describe('a test', () => {
  it('sends one event and answers with the outcome', async () => {
    const { id } = await webhook();
    const path = `/webhooks/${String(id)}`;
    const arrived = await stage.post(`${path}/test`);
    expect(arrived.json).toMatchObject({
      channel: 'webhook',
      webhook_id: id,
      type: 'webhook.test',
      status: 'delivered',
      next_attempt_at: null,
      attempts: [{ outcome: 'delivered', status: 204, detail: null }],
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      specversion: '1.0',
      id: arrived.json['id'],
      source: 'https://api.example.com',
      type: 'webhook.test',
      time: '2026-11-24T09:00:00.000Z',
      datacontenttype: 'application/json',
      data: { webhook_id: id },
    });
    receiver.answer = status(500);
    expect((await stage.post(`${path}/test`)).json).toMatchObject({
      status: 'failed',
      attempts: [{ outcome: 'failed', status: 500 }],
    });
    const deliveries = itemsOf(await stage.get(`${path}/deliveries`));
    expect(deliveries.map((one) => one['status'])).toEqual(['delivered', 'failed']);
    expect((await lane0()).slice(-2)).toEqual(['WebhookTested', 'WebhookTested']);
  });
});

describe('deliveries', () => {
  it('are listed page by page, in either order, by status', async () => {
    const { id } = await webhook();
    const path = `/webhooks/${String(id)}`;
    const made: unknown[] = [];
    for (const code of [204, 500, 204, 500, 204]) {
      receiver.answer = status(code);
      made.push((await stage.post(`${path}/test`)).json['id']);
      stage.now += 1;
    }
    const pages = async (query: string): Promise<unknown[]> => {
      const ids: unknown[] = [];
      let after = '';
      do {
        const page = await stage.get(`${path}/deliveries?limit=2${query}${after}`);
        ids.push(...itemsOf(page).map((one) => one['id']));
        const { next } = page.json;
        after = typeof next === 'string' ? `&after=${next}` : '';
      } while (after !== '');
      return ids;
    };
    expect(await pages('')).toEqual(made);
    expect(await pages('&order=desc')).toEqual(made.toReversed());
    expect(await pages('&status=failed')).toEqual([made[1], made[3]]);
  });

  it('are sent once more when an operator asks, and a retry of that changes nothing', async () => {
    const { id } = await webhook();
    receiver.answer = status(500);
    const failed = await stage.post(`/webhooks/${String(id)}/test`);
    const path = `/webhooks/deliveries/${String(failed.json['id'])}/resend`;
    stage.now += 1;
    expect((await stage.post(path)).json).toMatchObject({ status: 'failed' });
    stage.now += 1;
    receiver.answer = status(204);
    const key = randomUUID();
    const sent = await stage.post(path, { reason: 'It is back.' }, key);
    expect(sent.json).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 500 }, { status: 500 }, { status: 204 }],
    });
    const retry = await stage.post(path, { reason: 'It is back.' }, key);
    expect(retry.json).toEqual(sent.json);
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it('of a webhook that was removed are not sent any more', async () => {
    const { id } = await webhook();
    const { json } = await stage.post(`/webhooks/${String(id)}/test`);
    await remove(id);
    const path = `/webhooks/deliveries/${String(json['id'])}/resend`;
    expect((await stage.post(path)).json).toMatchObject({ code: 'conflict' });
  });
});

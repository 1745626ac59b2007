import { NOTHING } from '#event-log/fold.js';
import { Webhook } from 'standardwebhooks';
import { Calendar } from '#calendar/calendar.js';
import { SystemStream } from '#event-log/system-stream.js';
import { RELEASE_PUBLISHED } from '#popularity/release-events.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { change, DeliveryStage } from './delivery-stage.suite.js';
import { Receiver, silence, status, type ReceivedRequest } from './receiver.suite.js';
import { resolveLocally } from './resolve-host.js';
import { ReleaseWatch } from './release-watch.js';
import { RETRY_DELAYS_MS } from './retry-schedule.js';
import { SecretBox } from '#projections/texts/secret-box.js';
import { WebhookSecrets } from './webhook-secrets.js';

let stage: DeliveryStage;
let receiver: Receiver;
let account: TestAccount;

beforeEach(async () => {
  stage = await DeliveryStage.open();
  receiver = await Receiver.start();
  account = TestAccount.inLane(7);
});

afterEach(async () => {
  await stage.close();
  await receiver.close();
  expect(stage.faults).toEqual([]);
});

function idsOf(received: readonly ReceivedRequest[]): string[] {
  return received.map(({ headers }) => String(headers['webhook-id']));
}

describe('an event', () => {
  test('is sent as a signed CloudEvent', async () => {
    const { id, secret } = await stage.webhook(receiver.url());
    stage.worker().start();
    await stage.notify(account);
    await stage.until(id, 'delivered', 1);
    const [received] = receiver.received;
    if (received === undefined) throw new Error('Nothing arrived.');
    expect(received.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    const verified = new Webhook(secret).verify(
      received.body,
      received.headers as Record<string, string>,
    );
    expect(verified).toEqual({
      specversion: '1.0',
      id: received.headers['webhook-id'],
      source: 'https://api.example.com',
      type: 'balance.low',
      subject: account.id,
      time: new Date(1_793_491_200_000).toISOString(),
      datacontenttype: 'application/json',
      data: { account_id: account.id, low_balance_credits: 100, balance: 7, call_id: null },
    });
    expect((await stage.of(id))[0]).toMatchObject({
      id: received.headers['webhook-id'],
      type: 'balance.low',
      status: 'delivered',
      next_attempt_at: null,
      attempts: [{ outcome: 'delivered', status: 204, detail: null }],
    });
    expect(stage.counters).toEqual({ sent: 1, retried: 0, failed: 0 });
  });

  test('is sent to each webhook that wants it, under an id of its own', async () => {
    const stranger = TestAccount.inLane(8);
    await stage.opened(account, stranger);
    const all = await stage.webhook(receiver.url());
    const own = await stage.webhook(receiver.url(), { account_id: account.id });
    const other = await stage.webhook(receiver.url(), { account_id: stranger.id });
    const typed = await stage.webhook(receiver.url(), { events: ['grant.expired'] });
    stage.worker().start();
    await stage.notify(account);
    await Promise.all([all, own].map(({ id }) => stage.until(id, 'delivered', 1)));
    expect(await Promise.all([other, typed].map(({ id }) => stage.of(id)))).toEqual([[], []]);
    expect(new Set(idsOf(receiver.received)).size).toBe(2);
  });

  test('from before a webhook is not sent to it, even when it is planned late', async () => {
    await stage.notify(account);
    const { id } = await stage.webhook(receiver.url());
    await stage.notify(account);
    stage.worker().start();
    await stage.until(id, 'delivered', 1);
    expect(receiver.received).toHaveLength(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      time: new Date(1_793_491_200_001).toISOString(),
    });
  });

  test('that is no notification is sent to nobody', async () => {
    const { id } = await stage.webhook(receiver.url());
    stage.worker().start();
    await stage.happen(account, [{ type: 'CallMade', data: {} }]);
    await stage.notify(account);
    await stage.until(id, 'delivered', 1);
    expect(await stage.of(id)).toHaveLength(1);
  });
});

describe('what concerns the system', () => {
  const release = { sha256: 'ab', categories: 4, brands: 3, relations: 2, volumes: 1 };
  const publish = (window: string, load: number) =>
    stage.system.append(NOTHING, () => ({
      callId: null,
      type: RELEASE_PUBLISHED,
      at: Date.now(),
      data: { release: `r${load}`, window, through: '2026-10-01', load, ...release },
    }));

  test('is sent to webhooks of all accounts alone', async () => {
    await stage.opened(account);
    const all = await stage.webhook(receiver.url());
    const own = await stage.webhook(receiver.url(), { account_id: account.id });
    stage.worker().start();
    await publish('2026w47', 1);
    await stage.projected();
    await stage.until(all.id, 'delivered', 1);
    expect(await stage.of(own.id)).toEqual([]);
    const sent = JSON.parse(receiver.received[0]?.body ?? '') as object;
    expect(sent).toMatchObject({
      type: 'release.ready',
      data: { release: 'r1', window: '2026w47', through: '2026-10-01' },
    });
    expect(sent).not.toHaveProperty('subject');
  });

  test('is also that a release is missing, once, however many processes watch', async () => {
    const calendar = new Calendar('UTC');
    const { startsAt, label } = calendar.nextWindow(calendar.windowAt(Date.now()));
    const { id } = await stage.webhook(receiver.url(), { events: ['release.missing'] });
    await publish('2020w01', 1);
    const clock = { now: () => startsAt - 3_600_000, ready: () => ({ ready: true }) };
    const onFault = (error: unknown): void => void stage.faults.push(error);
    const watches = [1, 2, 3].map(
      () => new ReleaseWatch({ system: new SystemStream(stage.log), calendar, clock, onFault }),
    );
    watches.forEach((watch) => watch.start());
    await Promise.all(watches.map((watch) => watch.stop()));
    stage.worker().start();
    await stage.projected();
    await stage.until(id, 'delivered', 1);
    expect(receiver.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { type: 'release.missing', data: { window: label, serving: 'r1' } },
    ]);
  });
});

describe('a receiver that fails', () => {
  test('is asked again after 5 s, under the same id and with the same body, until it takes it', async () => {
    const { id } = await stage.webhook(receiver.url());
    receiver.answer = status(500);
    stage.worker().start();
    await stage.notify(account);
    await stage.attempted(id, 1);
    const [pending] = await stage.of(id);
    expect(pending).toMatchObject({
      status: 'pending',
      attempts: [{ outcome: 'failed', status: 500, detail: 'The receiver answered 500.' }],
    });
    const waitMs = Date.parse(pending?.next_attempt_at ?? '') - Date.now();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(5_000);
    receiver.answer = status(200);
    await stage.timePasses();
    await stage.until(id, 'delivered', 1);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(stage.counters).toEqual({ sent: 1, retried: 1, failed: 0 });
  });

  test('is given up after the last try, and not before', async () => {
    const { id } = await stage.webhook(receiver.url());
    receiver.answer = status(302, { location: receiver.url() });
    stage.worker().start();
    await stage.notify(account);
    for (let tries = 1; tries <= RETRY_DELAYS_MS.length; tries++) {
      await stage.attempted(id, tries);
      expect((await stage.of(id))[0]).toMatchObject({ status: 'pending' });
      await stage.timePasses();
    }
    await stage.until(id, 'failed', 1);
    await stage.timePasses();
    const [failed] = await stage.of(id);
    expect(failed).toMatchObject({ next_attempt_at: null });
    expect(failed?.attempts).toHaveLength(RETRY_DELAYS_MS.length + 1);
    expect(failed?.attempts.at(-1)).toMatchObject({
      status: 302,
      detail: 'Redirects are not followed.',
    });
    expect(stage.counters).toMatchObject({ sent: 0, failed: 1 });
  });

  test('delays no other, however much waits for it', async () => {
    const slow = await Receiver.start();
    slow.answer = silence;
    const dead = await stage.webhook(slow.url());
    const well = await stage.webhook(receiver.url());
    // Longer than the others need on any machine: who falls silent is given up after them.
    const post = { resolve: resolveLocally, allowPrivate: true, timeoutMs: 120_000 };
    stage.worker({ sender: { post } }).start();
    await stage.notify(account, 60);
    await stage.until(well.id, 'delivered', 60);
    expect(slow.received.length).toBeLessThanOrEqual(4);
    expect((await stage.of(dead.id)).every(({ attempts }) => attempts.length === 0)).toBe(true);
    await slow.close();
  });
});

describe('a webhook', () => {
  test('that was removed gets nothing more, not even what was due', async () => {
    const { id } = await stage.webhook(receiver.url());
    receiver.answer = status(500);
    stage.worker().start();
    await stage.notify(account);
    await stage.attempted(id, 1);
    await stage.deliveries().webhooks.remove(id, change());
    await stage.notify(account);
    await stage.timePasses();
    await stage.until(id, 'cancelled', 1);
    expect(await stage.of(id)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  test('signs with the old and the new secret after a rotation', async () => {
    const { id, secret: before } = await stage.webhook(receiver.url());
    const { view } = await stage.deliveries().webhooks.rotate(id, change());
    stage.worker().start();
    await stage.notify(account);
    await stage.until(id, 'delivered', 1);
    const [received] = receiver.received;
    for (const secret of [before, view.secret ?? '']) {
      new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>);
    }
    expect(view.secret).not.toBe(before);
  });

  test('whose secret another key has encrypted waits until it was rotated', async () => {
    const { id } = await stage.webhook(receiver.url());
    const box = new SecretBox('another-secret-of-at-least-32-characters');
    stage.worker({ sender: { secrets: new WebhookSecrets(stage.pool, box) } }).start();
    await stage.notify(account);
    await stage.attempted(id, 1);
    expect((await stage.of(id))[0]).toMatchObject({
      status: 'pending',
      attempts: [{ detail: expect.stringContaining('rotate it') }],
    });
    expect(receiver.received).toEqual([]);
  });
});

describe('a worker that is stopped', () => {
  test('lets an attempt end and writes it down', async () => {
    const { id } = await stage.webhook(receiver.url());
    const worker = stage.worker();
    receiver.answer = (response) => {
      void worker.stop(5_000);
      setImmediate(() => response.writeHead(204).end());
    };
    worker.start();
    await stage.notify(account);
    await stage.until(id, 'delivered', 1);
    await worker.stop(0);
  });

  test('cuts one that takes too long, which is tried again', async () => {
    const { id } = await stage.webhook(receiver.url());
    receiver.answer = silence;
    const worker = stage.worker();
    worker.start();
    await stage.notify(account);
    await waitFor('it is sent', () => receiver.received.length === 1);
    await worker.stop(10);
    expect((await stage.of(id))[0]).toMatchObject({
      status: 'pending',
      attempts: [{ detail: 'The service stopped before there was an answer.' }],
    });
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { rebuildToEnd } from '#event-log/bring-up-projection.js';
import { notificationsProjection } from '#projections/projections/notifications.projection.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { DeliveryStage } from './delivery-stage.suite.js';
import { Receiver, type ReceivedRequest } from './receiver.suite.js';

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

describe('several workers', () => {
  test('never send the same attempt at once', async () => {
    const { id } = await stage.webhook(receiver.url());
    let atOnce = 0;
    const underWay = new Set<string>();
    receiver.answer = (response, { headers }) => {
      const name = String(headers['webhook-id']);
      if (underWay.has(name)) atOnce += 1;
      underWay.add(name);
      void pause(10).then(() => {
        underWay.delete(name);
        response.writeHead(204).end();
      });
    };
    for (let number = 0; number < 3; number++) stage.worker().start();
    await stage.notify(account, 40);
    await stage.until(id, 'delivered', 40);
    expect(atOnce).toBe(0);
    expect(idsOf(receiver.received)).toHaveLength(40);
    expect(new Set(idsOf(receiver.received)).size).toBe(40);
  });

  test('take over from one that was killed after it had sent: the same id arrives again', async () => {
    const { id } = await stage.webhook(receiver.url());
    const killed = new Promise<void>(() => undefined);
    const queue = stage.queue(1_000);
    const dying = stage.worker({
      parts: { queue: { claim: (room) => queue.claim(room), record: () => killed } },
    });
    dying.start();
    await stage.notify(account);
    await waitFor('the first one arrives', () => receiver.received.length === 1);
    stage.forget(dying);
    stage.worker().start();
    await stage.until(id, 'delivered', 1);
    const [first, second, ...others] = idsOf(receiver.received);
    expect(second).toBe(first);
    expect(others).toEqual([]);
    expect((await stage.of(id))[0]?.attempts).toHaveLength(1);
  });
});

describe('nothing that was sent is sent again', () => {
  test('when the database goes away before it was written down, and comes back', async () => {
    const { id } = await stage.webhook(receiver.url());
    const queue = stage.queue(30_000);
    let outages = 2;
    const record: typeof queue.record = async (...tried) => {
      if (outages-- > 0) throw Object.assign(new Error('gone'), { code: '57P01' });
      return queue.record(...tried);
    };
    stage.worker({ parts: { queue: { claim: (room) => queue.claim(room), record } } }).start();
    await stage.notify(account);
    await stage.until(id, 'delivered', 1);
    expect(outages).toBe(-1);
    expect(receiver.received).toHaveLength(1);
  });

  test('and what comes to places that a log which came back older had passed is sent', async () => {
    const { id } = await stage.webhook(receiver.url());
    stage.worker().start();
    await stage.notify(account, 2);
    await stage.until(id, 'delivered', 2);
    // The rows of deliveries know places that the log has lost.
    await stage.pool.query('update delivery_cursor set position = position + 5');
    await stage.pool.query('update delivery set position = position + 1 where position = 2');
    const passed = async (): Promise<unknown> =>
      (await stage.pool.query('select max(position)::int as position from delivery_cursor')).rows;
    await waitFor('the cursor goes back', async () => {
      return JSON.stringify(await passed()) === '[{"position":2}]';
    });
    await stage.until(id, 'delivered', 1);
    await stage.notify(account);
    await stage.until(id, 'delivered', 2);
    expect(receiver.received).toHaveLength(3);
  });

  test('when the projection is rebuilt, or planning begins at the start', async () => {
    const { id } = await stage.webhook(receiver.url());
    const worker = stage.worker();
    worker.start();
    await stage.notify(account, 5);
    await stage.until(id, 'delivered', 5);
    const planned = await stage.of(id);
    const { outcome } = await rebuildToEnd(stage.pool, notificationsProjection, {});
    expect(outcome).toBe('rebuilt');
    await stage.pool.query('delete from delivery_cursor');
    await stage.notify(account);
    await stage.until(id, 'delivered', 6);
    expect(receiver.received).toHaveLength(6);
    expect((await stage.of(id)).slice(0, 5)).toEqual(planned);
  });
});

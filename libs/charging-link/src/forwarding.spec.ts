import { randomUUID } from 'node:crypto';
import { Scene, until } from '../test-adapters/scene.js';
import { DecidingCharging } from '../test-adapters/deciding-charging.js';
import type { ForwardedRequest, Forwarding } from './forwarding.js';

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.end());

function requestOf(members: Partial<ForwardedRequest> = {}): ForwardedRequest {
  return {
    accountId: randomUUID(),
    apiKeyId: randomUUID(),
    requestId: randomUUID(),
    method: 'POST',
    target: '/v1/account/budgets',
    headers: { 'idempotency-key': 'one' },
    body: '{"period":"month"}',
    ...members,
  };
}

/** Answers with the request that it was asked. */
class Echo implements Forwarding {
  readonly asked: ForwardedRequest[] = [];

  async forward(request: ForwardedRequest) {
    this.asked.push(request);
    return { status: 201, headers: { etag: '"1"' }, body: JSON.stringify(request) };
  }
}

test('a request reaches an accounting process as it is, and so does its answer', async () => {
  const forwarding = new Echo();
  const { url } = await scene.process(new DecidingCharging(), { forwarding });
  const remote = await scene.remote([url]);
  const request = requestOf();
  const answer = await remote.forward(request);
  expect(answer).toEqual({ status: 201, headers: { etag: '"1"' }, body: JSON.stringify(request) });
  expect(forwarding.asked).toEqual([request]);
});

test('a process that takes nothing is not asked, and without another one it is an outage', async () => {
  const forwarding = new Echo();
  const older = await scene.process();
  const newer = await scene.process(new DecidingCharging(), { forwarding });
  const remote = await scene.remote([older.url, newer.url]);
  await Promise.all(Array.from({ length: 20 }, () => remote.forward(requestOf())));
  expect(forwarding.asked).toHaveLength(20);
  const alone = await scene.remote([older.url]);
  const refused = alone.forward(requestOf());
  await expect(refused).rejects.toMatchObject({ name: 'AccountingUnavailableError' });
});

test('what a lost process may have done is sent to no other one', async () => {
  const asked: string[] = [];
  const never: Forwarding = {
    forward: ({ requestId }) => {
      asked.push(requestId);
      return new Promise(() => undefined);
    },
  };
  const processes = await Promise.all(
    [1, 2].map(() => scene.process(new DecidingCharging(), { forwarding: never })),
  );
  const remote = await scene.remote(processes.map(({ url }) => url));
  const refused = remote.forward(requestOf());
  const seen = refused.catch((error: unknown) => error);
  await until(() => asked.length === 1);
  for (const { wire } of processes) wire.cut();
  expect(await seen).toMatchObject({ message: expect.stringContaining('It is not known') });
  expect(asked).toHaveLength(1);
});

import { randomUUID } from 'node:crypto';
import { Profiles } from '#projections/texts/profiles.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { AdminStage, idOf, itemsOf } from '../../../test/setup/admin-stage.js';
import { Receiver } from './receiver.suite.js';

let stage: AdminStage;
let receiver: Receiver;

beforeEach(async () => {
  stage = await AdminStage.open();
  receiver = await Receiver.start();
});

afterEach(async () => {
  await stage.deliveries.worker.stop(0);
  await stage.close();
  await receiver.close();
  expect(stage.errors).toEqual([]);
});

/** Creates a budget with these thresholds; returns its id. */
async function budget(accountId: string, limit: number, thresholds: number[]): Promise<string> {
  const emails = { emails: ['ada@example.org'] };
  const notify = await new Profiles(stage.pool).save(randomUUID(), accountId, emails);
  const budgetId = randomUUID();
  const answer = await stage.accounting.submit({
    accountId,
    callId: budgetId,
    isRetry: false,
    notAfter: stage.now + 10_000,
    command: {
      command: 'set-budget',
      origin: { by: 'owner', request: randomUUID(), input: '' },
      isNew: true,
      apiKeyId: null,
      period: 'month',
      action: 'alert',
      budgetId,
      limit,
      thresholds,
      notify,
    },
  });
  if (answer.refusal !== null) throw new Error(answer.refusal.reason);
  return budgetId;
}

function deliveriesOf(alert: Record<string, unknown> | undefined): Record<string, unknown>[] {
  return (alert?.['deliveries'] ?? []) as Record<string, unknown>[];
}

it('shows each threshold that was crossed as soon as the call was answered', async () => {
  const account = await stage.prepaid();
  const budgetId = await budget(account, 100_000, [10, 50, 80]);
  await stage.projections.stop();
  const { id: callId } = await stage.call(account);
  const alerts = itemsOf(await stage.get(`/accounts/${account}/alerts`));
  const common = { budget_id: budgetId, period: '2026-11', limit_credits: 100_000 };
  const spent = { spent_credits: 50_000, call_id: callId, at: '2026-11-24T09:00:00.000Z' };
  expect(alerts).toEqual(
    [10, 50].map((threshold) => ({ ...common, ...spent, threshold, deliveries: [] })),
  );
});

it('shows each attempt to deliver it, by webhook and by e-mail', async () => {
  const account = await stage.prepaid();
  const webhook = idOf(await stage.post('/webhooks', { url: receiver.url() }));
  await budget(account, 100_000, [50]);
  stage.deliveries.worker.start();
  await stage.call(account);
  const alert = async () => itemsOf(await stage.get(`/accounts/${account}/alerts`))[0];
  await waitFor('two attempts', async () =>
    [2].includes(deliveriesOf(await alert()).flatMap(({ attempts }) => attempts).length),
  );
  expect(
    deliveriesOf(await alert()).toSorted((one) => (one['channel'] === 'email' ? -1 : 1)),
  ).toMatchObject([
    {
      channel: 'email',
      webhook_id: null,
      email: 'ada@example.org',
      status: 'pending',
      attempts: [{ outcome: 'failed', detail: 'No mail server is set (SMTP_URL).' }],
    },
    {
      channel: 'webhook',
      webhook_id: webhook,
      email: null,
      type: 'budget.threshold_crossed',
      status: 'delivered',
      attempts: [{ outcome: 'delivered', status: 204 }],
    },
  ]);
  const crossed = receiver.received.map(({ body }) => JSON.parse(body) as { type: string });
  expect(crossed.filter(({ type }) => type === 'budget.threshold_crossed')).toHaveLength(1);
});

it('pages through them, whether they are projected or not', async () => {
  const account = await stage.prepaid();
  await budget(account, 100_000, [10, 20, 30, 40, 50]);
  await stage.call(account);
  const pages = async (): Promise<unknown[]> => {
    const first = await stage.get(`/accounts/${account}/alerts?limit=3`);
    const rest = await stage.get(`/accounts/${account}/alerts?after=${String(first.json['next'])}`);
    expect(rest.json['next']).toBeNull();
    return [first, rest].flatMap(itemsOf).map(({ threshold }) => threshold);
  };
  expect(await pages()).toEqual([10, 20, 30, 40, 50]);
  await waitFor('the projection', async () => {
    const lag = await stage.projections.lag();
    return lag.get('notifications') === 0;
  });
  expect(await pages()).toEqual([10, 20, 30, 40, 50]);
});

it('shows those of the account alone', async () => {
  const [one, other] = [await stage.prepaid(), await stage.prepaid()];
  await budget(one, 50_000, [100]);
  await stage.call(one);
  expect(itemsOf(await stage.get(`/accounts/${one}/alerts`))).toHaveLength(1);
  expect(itemsOf(await stage.get(`/accounts/${other}/alerts`))).toEqual([]);
});

import type { ClusterNode } from '#database/cluster/cluster-status.js';
import { laneOf } from '#event-log/event-log.js';
import { query } from '../../bench/join-cluster.js';
import { ClusterStage, CREDITS, PAUSE_MS, RATE, START_MS } from '../setup/cluster-stage.js';
import type { ReplicatedCluster } from '../setup/replicated-cluster.js';
import type { Customer } from '../setup/service.js';
import type { SplitService } from '../setup/split-service.js';
import { GIVEN_BACK, more, Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

/** How often each worker is killed and its standby promoted: `KILLS=10` for a long run. */
const KILLS = Number(process.env.KILLS ?? 1);
/** From the promotion to the next charge in the worker's lanes. */
const AGAIN_MS_MAX = 10_000;
const READY_MS = 30_000;
/** Longer than any call waits, and than a commit may be late while the log answers. */
const SILENT_MS = 40_000;

let cluster: ReplicatedCluster | null = null;
let service: SplitService;
let opening: Promise<ClusterStage | null>;

beforeAll(async () => {
  opening = ClusterStage.open(({ urlOfAll }) => urlOfAll);
  const stage = await opening;
  if (stage !== null) ({ cluster, service } = stage);
}, START_MS);

// Also one that was opened after its time.
afterAll(async () => (await opening.catch(() => null))?.close(), START_MS);

/** The worker with lane 0, or the one without. */
async function workerOf(hasLane0: boolean): Promise<ClusterNode> {
  const { nodes } = await (cluster as ReplicatedCluster).status();
  const node = nodes.find(({ lanes }) => lanes.includes(0) === hasLane0);
  if (node === undefined) throw new Error('There are two workers, one of which has lane 0.');
  return node;
}

/** Two whose lanes lie on the worker, and one whose lane does not. */
async function customers(
  worker: ClusterNode,
): Promise<Record<'on' | 'named' | 'beside', Customer>> {
  return {
    on: await customerOn(worker, true),
    named: await customerOn(worker, true),
    beside: await customerOn(worker, false),
  };
}

async function customerOn({ lanes }: ClusterNode, isOnIt: boolean): Promise<Customer> {
  for (;;) {
    const customer = await service.customer(CREDITS, RATE);
    if (lanes.includes(laneOf(customer.accountId)) === isOnIt) return customer;
  }
}

/** Answers how long the next charge in the lanes of a killed worker takes from the promotion. */
async function failOver({ port }: ClusterNode, on: Traffic): Promise<number> {
  const servers = cluster as ReplicatedCluster;
  const refused = on.refused.length;
  servers.kill(port);
  await waitFor('calls are refused', () => on.refused.length > refused, READY_MS);
  const served = on.served.length;
  const promotedAt = await servers.promote(port);
  await waitFor('a call is charged', () => on.served.length > served, READY_MS);
  return performance.now() - promotedAt;
}

test.each([
  ['that does not hold lane 0', false],
  ['with lane 0', true],
])(
  'a worker %s is killed under load and its standby promoted: no answered call is lost or charged twice, and the next is charged within 10 s',
  async (_which, hasLane0) => {
    if (cluster === null) return;
    const { on: one, named: two, beside: three } = await customers(await workerOf(hasLane0));
    const on = Traffic.start(one, PAUSE_MS);
    const named = Traffic.startNamed(two, PAUSE_MS);
    const beside = Traffic.start(three, PAUSE_MS);
    const all = [on, named, beside];
    const againMs: number[] = [];
    while (againMs.length < KILLS) {
      const worker = await workerOf(hasLane0);
      await more(all);
      againMs.push(await failOver(worker, on));
      await more(all);
      const { port } = await workerOf(hasLane0);
      expect(port).not.toBe(worker.port);
      await cluster.rejoin(port);
    }
    await Promise.all(all.map((traffic) => traffic.stop()));
    for (const traffic of all) await traffic.expectExact(service, CREDITS);
    expect(Math.max(...againMs)).toBeLessThan(AGAIN_MS_MAX);
    expect(beside.refused).toEqual([]);
    const statuses = [on, named].flatMap(({ refused }) => refused.map(({ status }) => status));
    expect(statuses.filter((status) => status !== 503 && status !== 504)).toEqual([]);
  },
  240_000 + 120_000 * KILLS,
);

/** Statements that the processes sent last to a server, but for those of a choice. */
async function askedOf(port: number): Promise<readonly string[]> {
  const { url, coordinatorPort } = cluster as ReplicatedCluster;
  const sessions = await query<{ query: string }>(
    url.replace(`:${coordinatorPort}/`, `:${port}/`),
    `select query from pg_stat_activity
      where application_name like 'popindex%' and application_name <> 'popindex choice'`,
  );
  return sessions.map((session) => session.query);
}

async function untilStraight({ port }: ClusterNode): Promise<void> {
  await waitFor(
    'appends go straight to the worker',
    async () => (await askedOf(port)).some((asked) => asked.includes('append_lanes')),
    READY_MS,
  );
}

test('a worker falls silent under load, for long, and goes on where it was: its lanes alone are refused, and no call is lost or charged twice', async () => {
  if (cluster === null) return;
  const worker = await workerOf(false);
  const { on: one, named: two, beside: three } = await customers(worker);
  const on = Traffic.start(one, PAUSE_MS);
  const named = Traffic.startNamed(two, PAUSE_MS);
  const beside = Traffic.start(three, PAUSE_MS);
  // Nothing comes after its last calls, which the worker holds unread.
  const ending = Traffic.start(await customerOn(worker, true), PAUSE_MS);
  const all = [on, named, beside, ending];
  await untilStraight(worker);
  await more(all);

  cluster.silence(worker.port);
  const silentAt = performance.now();
  try {
    const isRefused = () => on.refused.some(({ code }) => code === 'accounting-unavailable');
    await waitFor('calls are refused', isRefused, READY_MS);
    await ending.stop();
    while (performance.now() - silentAt < SILENT_MS) await more([beside]);
  } finally {
    cluster.wake(worker.port);
  }
  await more([on, named, beside]);
  await untilStraight(worker);
  await Promise.all(all.map((traffic) => traffic.stop()));
  for (const traffic of all) await traffic.expectExact(service, CREDITS);
  expect(beside.refused).toEqual([]);
  const codes = [on, named, ending].flatMap(({ refused }) => refused.map(({ code }) => code));
  expect(['accounting-unavailable', 'outcome-unknown', GIVEN_BACK]).toEqual(
    expect.arrayContaining(codes),
  );
}, 240_000);

test('a worker that was promoted over comes back and takes writes: appends go straight to the promoted one, and none to it', async () => {
  if (cluster === null) return;
  const worker = await workerOf(false);
  const on = Traffic.start(await customerOn(worker, true), PAUSE_MS);
  await untilStraight(worker);
  await failOver(worker, on);
  await cluster.startAgain(worker.port);
  await untilStraight(await workerOf(false));
  await more([on]);
  expect(await askedOf(worker.port)).toEqual([]);
  await on.stop();
  await on.expectExact(service, CREDITS);
}, 240_000);

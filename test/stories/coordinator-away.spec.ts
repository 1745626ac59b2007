import { setTimeout as pause } from 'node:timers/promises';
import { laneOf } from '#event-log/event-log.js';
import { query } from '../../bench/join-cluster.js';
import { ClusterStage, CREDITS, PAUSE_MS, RATE, START_MS } from '../setup/cluster-stage.js';
import type { ReplicatedCluster } from '../setup/replicated-cluster.js';
import type { Customer } from '../setup/service.js';
import type { SplitService } from '../setup/split-service.js';
import { more, Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

/** From the kill to the next charge. */
const AGAIN_MS_MAX = 10_000;
const READY_MS = 30_000;
const OPENERS = 4;
const WARNING = 'The coordinator of the cluster does not answer';

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

/** A customer whose lane lies on each of the workers. */
async function customers(): Promise<readonly Customer[]> {
  const { nodes } = await (cluster as ReplicatedCluster).status();
  const found = new Map<number, Customer>();
  while (found.size < nodes.length) {
    const customer = await service.customer(CREDITS, RATE);
    const at = nodes.findIndex(({ lanes }) => lanes.includes(laneOf(customer.accountId)));
    found.set(at, customer);
  }
  return [...found.values()];
}

const open = () => service.admin('/accounts', { name: 'Ada' });

/** Opens accounts, which takes several servers, until it is stopped. */
class Openings {
  /** Ids of accounts whose opening was answered. */
  readonly opened: string[] = [];
  private going = true;
  private readonly openers = Array.from({ length: OPENERS }, () => this.run());

  async stop(): Promise<void> {
    this.going = false;
    await Promise.all(this.openers);
  }

  private async run(): Promise<void> {
    while (this.going) {
      const { status, body } = await open();
      if (status === 201) this.opened.push(String(body['id']));
      await pause(PAUSE_MS);
    }
  }
}

/**
 * Kills the coordinator while accounts are opened. Answers how long it takes until each is charged
 * again, and the accounts.
 */
async function lose(traffics: readonly Traffic[]) {
  const { coordinatorPort } = cluster as ReplicatedCluster;
  const openings = new Openings();
  const { opened } = openings;
  await waitFor('accounts are opened', () => opened.length >= OPENERS);
  (cluster as ReplicatedCluster).kill(coordinatorPort);
  const killedAt = performance.now();
  await more(traffics, 1);
  const ms = performance.now() - killedAt;
  await openings.stop();
  return { ms, opened };
}

/** Fails where what several servers began is not ended, or an opened account lacks a part. */
async function expectWhole(opened: readonly string[]): Promise<void> {
  const { url } = cluster as ReplicatedCluster;
  await waitFor('nothing is in doubt', async () => {
    // As the cluster does by itself every minute.
    await query(url, 'select recover_prepared_transactions()');
    const { nodes } = await (cluster as ReplicatedCluster).status();
    return nodes.every(({ in_doubt: inDoubt }) => inDoubt === 0);
  });
  for (const id of opened) {
    expect((await service.admin(`/accounts/${id}`)).body).toMatchObject({ id, name: 'Ada' });
    const { status } = await service.admin(`/accounts/${id}/api-keys`, { label: 'laptop' });
    expect(status).toBe(201);
  }
}

/** Whether both processes are ready, and whether they say that the coordinator is away. */
async function ready(isAway: boolean): Promise<void> {
  for (const url of [service.adminUrl, service.apiUrl]) {
    await waitFor(
      `${url} ${isAway ? 'names' : 'reaches'} the coordinator`,
      async () => {
        const response = await fetch(`${url}/readyz`);
        return response.status === 200 && (await response.text()).includes(WARNING) === isAway;
      },
      READY_MS,
    );
    const metrics = await fetch(`${url}/metrics`);
    expect(await metrics.text()).toContain(`\npopindex_coordinator_away ${Number(isAway)}\n`);
  }
}

/** Tries what the coordinator alone can do, which is refused, and a change without texts. */
async function expectRefusals(accountId: string): Promise<void> {
  const webhook = { url: 'https://example.org/hook' };
  const asked = [open(), service.admin('/operators'), service.admin('/webhooks', webhook)];
  for (const { status, body } of await Promise.all(asked)) {
    expect([status, body.code]).toEqual([503, 'accounting-unavailable']);
  }
  const account = `/accounts/${accountId}`;
  const grant = { credits: 1, kind: 'promotional' };
  expect((await service.admin(`${account}/grants`, grant)).status).toBe(201);
  expect((await service.admin(account)).status).toBe(200);
}

test('the coordinator is killed under load: calls go on through a worker, none is lost or charged twice, and all else when it is back', async () => {
  if (cluster === null) return;
  const [one, two] = (await customers()) as [Customer, Customer];
  const traffics = [Traffic.start(one, PAUSE_MS), Traffic.startNamed(two, PAUSE_MS)];
  await more(traffics);
  await ready(false);

  const first = await lose(traffics);
  await ready(true);
  await expectRefusals(one.accountId);
  await more(traffics);
  // A process that starts meanwhile charges, too.
  await service.accounting.stop();
  await service.restartAccounting();
  await more(traffics);
  await ready(true);

  const killed = cluster.coordinatorPort;
  await cluster.startAgain(killed);
  await ready(false);
  await expectWhole(first.opened);
  await more(traffics);

  const second = await lose(traffics);
  await cluster.promote(killed);
  await ready(false);
  await expectWhole(second.opened);
  // The old one comes back, and takes writes: nobody uses it.
  await cluster.startAgain(killed);
  await more(traffics);
  expect((await open()).status).toBe(201);
  const stale = cluster.url.replace(`:${cluster.coordinatorPort}/`, `:${killed}/`);
  const users = `select application_name as name from pg_stat_activity
    where application_name like 'popindex%' and application_name <> 'popindex choice'`;
  expect(await query(stale, users)).toEqual([]);

  await Promise.all(traffics.map((traffic) => traffic.stop()));
  const [plain, named] = traffics as [Traffic, Traffic];
  await plain.expectExact(service, CREDITS + 1);
  await named.expectExact(service, CREDITS);
  const againMs = [first.ms, second.ms];
  process.stderr.write(`Charged again after ${againMs.map(Math.round).join(' and ')} ms.\n`);
  expect(Math.max(...againMs)).toBeLessThan(AGAIN_MS_MAX);
  const statuses = traffics.flatMap(({ refused }) => refused.map(({ status }) => status));
  expect(statuses.filter((status) => status !== 503 && status !== 504)).toEqual([]);
}, 300_000);

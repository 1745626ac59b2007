import type pg from 'pg';
import type { StoredEvent } from '#event-log/event-log.js';
import { DECIDING_CONNECTIONS, startAccounting } from './accounting.js';
import { Callers } from './append-calls.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { BALANCES, costOf, EmmettPackages } from './emmett-store.js';
import type { EmmettEvent, EmmettStore } from './emmett-store.js';
import type { Stage } from './stage.js';
import { recordTimed, timed, type WorkTimes } from './timed.js';
import { writtenBatches } from './written-batches.js';

const ACCOUNTS = 10_000;
const CALLS = 50_000;
const EMMETT_CALLS = 4_000;
const CONNECTIONS = [8, 32];

interface Peer {
  readonly connections: number;
  readonly store: EmmettStore;
}

interface StreamEvent {
  readonly stream: string;
  readonly event: EmmettEvent;
}

/** The events of our decisions, as Emmett takes them: each account is a stream. */
function asStreamEvents(batches: readonly (readonly StoredEvent[])[]): StreamEvent[] {
  const calls = batches.flat().slice(0, EMMETT_CALLS);
  return calls.map(({ accountId, type, data }) => ({
    stream: accountId,
    event: { type, data: JSON.parse(data) as object },
  }));
}

/** Appends one event after the other on each connection. No two write to the same stream. */
async function appendAll({ store, connections }: Peer, events: readonly StreamEvent[]) {
  const shares = Array.from({ length: connections }, (): StreamEvent[] => []);
  for (const each of events) {
    shares[Number.parseInt(each.stream.slice(-4), 16) % connections]?.push(each);
  }
  const write = async (share: readonly StreamEvent[]): Promise<void> => {
    for (const { stream, event } of share) await store.appendToStream(stream, [event]);
  };
  await Promise.all(shares.map(write));
}

async function openPeers(stage: Stage, url: string): Promise<Peer[]> {
  stage.report('fetching Emmett');
  const packages = await EmmettPackages.install(await stage.folder());
  const open = async (connections: number): Promise<Peer> => ({
    connections,
    store: await packages.open(url, stage.pool(url, connections)),
  });
  const peers: Peer[] = [];
  for (const connections of CONNECTIONS) peers.push(await open(connections));
  return peers;
}

/** An append that did not take its balance along would be cheaper than it looks. */
async function checkBalances(pool: pg.Pool, charged: number): Promise<void> {
  const { rows } = await pool.query<{ sum: number }>(
    `select -sum(balance)::int8 as sum from ${BALANCES}`,
  );
  if (rows[0]?.sum === charged) return;
  throw new Error(`Emmett received ${charged} credits and keeps ${rows[0]?.sum ?? 'none'}.`);
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url, pid } = await stage.database();
  const peers = await openPeers(stage, url);
  const pool = stage.pool(url, DECIDING_CONNECTIONS);
  const deciding = await startAccounting(stage, pool);
  stage.report(`opening ${ACCOUNTS} accounts`);
  const callers = await Callers.open(deciding, ACCOUNTS);
  const figures = new Measurements();
  let charged = 0;
  for (let round = 0; round <= stage.options.rounds; round += 1) {
    const ends = await deciding.log.ends();
    const calls = callers.plan(CALLS);
    const ours = await timed(CALLS, pid, () => callers.call(calls));
    const events = asStreamEvents(await writtenBatches(pool, ends));
    const theirs: WorkTimes[] = [];
    for (const peer of peers) {
      theirs.push(await timed(events.length, pid, () => appendAll(peer, events)));
      charged += events.reduce((sum, { event }) => sum + costOf(event), 0);
    }
    await checkBalances(pool, charged);
    const rates = theirs.map(({ perSecond }) => perSecond);
    stage.report(
      `${Math.round(ours.perSecond)} decisions/s, Emmett ${rates.map(Math.round).join()}`,
    );
    // The first round is for the compilers.
    if (round === 0) continue;
    const ratio = ours.perSecond / Math.max(...rates);
    figures.add("decisions / best of Emmett's", 'ratio', ratio, { atLeast: 20 });
    recordTimed(figures, 'decisions', 'call', ours);
    theirs.forEach((each, index) =>
      recordTimed(figures, `Emmett, ${CONNECTIONS[index] ?? 0} connections`, 'call', each),
    );
  }
  return figures.series();
}

export const emmettBenchmark: Benchmark = {
  name: 'emmett',
  about: 'durable decisions beside the event store Emmett with one inline projection, same events',
  onlyNamed: true,
  run,
};

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import { importDemoRelease } from '../setup/demo-release.js';
import type { Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { TcpProxy } from '../setup/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { Traffic } from '../setup/traffic.js';
import { waitFor } from '../setup/wait-for.js';

const CREDITS = 10_000_000;
const RATE = { rate_limit: { per_second: 10_000, burst: 10_000 } };
const PAUSE_MS = 5;
const SERVED = 50;
const PATIENCE_MS = 60_000;

interface Node {
  readonly id: number;
  readonly port: number;
  readonly lanes: readonly number[];
}

/** The servers of the cluster with the lanes of each; none on a plain PostgreSQL. */
async function nodesOf(client: pg.Client): Promise<readonly Node[]> {
  const known = await client.query(`select from pg_extension where extname = 'citus'`);
  if (known.rowCount === 0) return [];
  const { rows } = await client.query<Node>(
    `select n.nodeid as id, n.nodeport as port, array_agg(lane order by lane) as lanes
       from generate_series(0, 64) as lane
       join pg_dist_placement p
         on p.shardid = get_shard_id_for_distribution_column('event', lane::int2)
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      group by n.nodeid, n.nodeport`,
  );
  return rows;
}

let folder: string;
let database: TestDatabase;
/** Between the cluster and its server that does not hold lane 0; null: there is no cluster. */
let link: TcpProxy | null = null;
let lanesBehind: readonly number[] = [];
let service: SplitService;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-partial-'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const node = (await nodesOf(client)).find(({ lanes }) => !lanes.includes(0));
  if (node !== undefined) {
    lanesBehind = node.lanes;
    link = await TcpProxy.start(`tcp://127.0.0.1:${node.port}`);
    const { port } = new URL(link.url);
    await client.query(`select citus_update_node($1, '127.0.0.1', $2)`, [node.id, port]);
    await importDemoRelease(database.url, folder);
    service = await SplitService.start(database.url);
  }
  await client.end();
  if (link === null) process.stderr.write('TEST_DATABASE_URL names no cluster: not tested.\n');
}, 240_000);

afterAll(async () => {
  if (link !== null) await service.stop();
  await link?.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** One whose lane lies on the server behind the link, and one whose lane does not. */
async function customers(): Promise<readonly [behind: Customer, beside: Customer]> {
  const found = new Map<boolean, Customer>();
  while (found.size < 2) {
    const customer = await service.customer(CREDITS, RATE);
    found.set(lanesBehind.includes(laneOf(customer.accountId)), customer);
  }
  return [found.get(true), found.get(false)] as [Customer, Customer];
}

/** Both processes are ready, with warnings that begin so. */
async function warns(beginnings: readonly string[]): Promise<void> {
  for (const url of [service.adminUrl, service.apiUrl]) {
    await waitFor(
      `${url} warns of ${beginnings.join(' ')}`,
      async () => {
        const response = await fetch(`${url}/readyz`);
        const { warnings } = (await response.json()) as { warnings: readonly string[] };
        const isSo = warnings.every((warning, at) => warning.startsWith(beginnings[at] ?? '-'));
        return response.status === 200 && warnings.length === beginnings.length && isSo;
      },
      PATIENCE_MS,
    );
  }
}

async function moreAreServed(traffic: Traffic): Promise<void> {
  const before = traffic.served.length;
  await waitFor('calls are served', () => traffic.served.length > before + SERVED, PATIENCE_MS);
}

test.each([
  ['is away', 'refuse'],
  ['says nothing', 'silence'],
] as const)(
  'while one server of a cluster %s its accounts are refused, and all others served',
  async (_how, mode) => {
    if (link === null) return;
    const [behind, beside] = (await customers()).map((each) => Traffic.start(each, PAUSE_MS)) as [
      Traffic,
      Traffic,
    ];
    await Promise.all([moreAreServed(behind), moreAreServed(beside)]);
    await warns([]);

    link.setMode(mode);
    await waitFor('calls are refused', () => behind.refused.length > 2, PATIENCE_MS);
    await moreAreServed(beside);
    await warns([`Lanes ${lanesBehind.join(', ')} do not answer (`]);

    link.setMode('pass');
    link.cutAll();
    await Promise.all([moreAreServed(behind), moreAreServed(beside)]);
    await warns([]);
    await Promise.all([behind.stop(), beside.stop()]);
    expect(new Set(behind.refused.map(({ code }) => code))).toContain('accounting-unavailable');
    expect(beside.refused).toEqual([]);
    await behind.expectExact(service, CREDITS);
    await beside.expectExact(service, CREDITS);
  },
  240_000,
);

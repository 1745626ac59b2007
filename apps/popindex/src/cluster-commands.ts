import { Command, InvalidArgumentError } from 'commander';
import type pg from 'pg';
import {
  clusterStatus,
  NoClusterError,
  requireCluster,
  type ClusterNode,
} from '#database/cluster/cluster-status.js';
import { distribute, isDistributed, SHARDS } from '#database/cluster/distribute.js';
import { rebalance, type RebalanceResult } from '#database/rebalance.js';
import { databaseServers, serverAddress } from '#database/database-servers.js';
import { openDatabase, withClient } from '#database/database.js';
import { migrate } from '#database/migrate.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import { StartupError, withAnsweringDatabase } from '#web/startup-error.js';
import { tableText } from './admin/render.js';
import type { WithDatabase } from './backup-commands.js';
import { printResult } from './print-result.js';
import { ProgressBar } from './progress-bar.js';

interface Flags {
  readonly json?: boolean;
}

interface InitFlags extends Flags {
  readonly shards: number;
}

function shardsOf(text: string): number {
  const shards = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (shards >= SHARDS.min && shards <= SHARDS.max) return shards;
  throw new InvalidArgumentError(`It takes a number from ${SHARDS.min} to ${SHARDS.max}.`);
}

/** Works on the coordinator as the owner of the tables, on a connection. */
function asOwner(
  database: DatabaseUrls,
  work: (client: pg.PoolClient) => Promise<number>,
): Promise<number> {
  return withPool(database, (pool) => withClient(pool, work));
}

/** The same through lost connections. */
async function withPool(
  database: DatabaseUrls,
  work: (pool: pg.Pool) => Promise<number>,
): Promise<number> {
  const url = database.migrationUrl ?? database.url;
  const pool = openDatabase({ url, applicationName: 'popindex cluster', connectionsMax: 1 });
  try {
    return await withAnsweringDatabase(database, () => work(pool), true);
  } catch (error) {
    if (!(error instanceof NoClusterError)) throw error;
    throw new StartupError(`popindex: ${error.message}`, { cause: error });
  } finally {
    await pool.end();
  }
}

function initCommand(withDatabase: WithDatabase): Command {
  return new Command('init')
    .description('spread the tables over the servers that the coordinator knows')
    .option('--shards <n>', 'shards of the log: groups of lanes', shardsOf, SHARDS.usual)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  popindex cluster init --shards 16')
    .action(({ shards, json = false }: InitFlags) =>
      withDatabase((database) =>
        asOwner(database, async (client) => {
          await requireCluster(client);
          await migrate(database.migrationUrl ?? database.url, database.url);
          const wasDistributed = await isDistributed(client);
          const tables = await distribute(client, { shards });
          const text =
            tables.length === 0
              ? 'Every table is spread already.'
              : tableText(
                  ['name', 'placement'],
                  tables.map((table) => ({ ...table })),
                );
          printResult(json, { distributed_before: wasDistributed, tables }, text);
          return 0;
        }),
      ),
    );
}

/** With whether a service's URL names each as the cluster does: appends go straight to those. */
function withNames(nodes: readonly ClusterNode[], url: string) {
  const servers = databaseServers(url);
  const named = typeof servers === 'string' ? [] : servers.urls.map(serverAddress);
  return nodes.map(({ host, port, ...node }) => {
    return { host, port, named: named.includes(`${host}:${port}`), ...node };
  });
}

function statusCommand(withMadeDatabase: WithDatabase): Command {
  return new Command('status')
    .description('servers of the cluster, and which lanes lie on them')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  popindex cluster status')
    .action(({ json = false }: Flags) =>
      withMadeDatabase((database) =>
        asOwner(database, async (client) => {
          const { nodes: found, ...status } = await clusterStatus(client);
          const nodes = withNames(found, database.url);
          const rows = nodes.map((node) => ({ ...node, lanes: node.lanes.join(' ') }));
          const columns = [
            'host',
            'port',
            'active',
            'named',
            'shards',
            'lanes',
            'bytes',
            'standby_lag_ms',
            'in_doubt',
          ];
          const head = `Citus ${status.version}; the tables are ${status.distributed ? '' : 'not '}spread.`;
          printResult(json, { ...status, nodes }, `${head}\n${tableText(columns, rows)}`);
          return 0;
        }),
      ),
    );
}

function rebalanceCommand(withDatabase: WithDatabase): Command {
  return new Command('rebalance')
    .description('move shards, while they serve, until each server holds as many')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  popindex cluster rebalance')
    .action(({ json = false }: Flags) =>
      withDatabase((database) =>
        withPool(database, async (pool) => {
          await requireCluster(pool);
          const bar = new ProgressBar();
          const result = await rebalance(pool, {
            onProgress: ({ done, total }) =>
              bar.show({ stage: 'moving', done, total, unit: 'shards' }),
            onFault: (what) => bar.say(`tried again in a moment: ${what}`),
          }).finally(() => bar.stop());
          printResult(json, result, rebalancedText(result));
          return result.outcome === 'failed' ? 1 : 0;
        }),
      ),
    );
}

function rebalancedText({ outcome, moves, detail }: RebalanceResult): string {
  if (outcome === 'balanced') return 'Each server holds as many shards already.';
  if (outcome === 'moved') return `${moves} shards were moved.`;
  const why = detail ?? 'the cluster does not say why';
  return (
    `After ${moves} moves one failed: ${why}\n` +
    'What was moved stays. When each server answers (popindex cluster status), ' +
    'popindex cluster rebalance goes on with the rest.'
  );
}

/** `popindex cluster`: PostgreSQL with Citus, over several servers. */
export function clusterCommands(
  withDatabase: WithDatabase,
  withMadeDatabase: WithDatabase,
): Command {
  return new Command('cluster')
    .description('the database over several servers, with Citus')
    .addCommand(initCommand(withDatabase))
    .addCommand(statusCommand(withMadeDatabase))
    .addCommand(rebalanceCommand(withDatabase));
}

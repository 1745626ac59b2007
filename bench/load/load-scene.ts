import { openCustomers } from '../customers.js';
import { demoPaths } from '../demo-paths.js';
import { Load } from './load.js';
import type { MeasuredSite } from './measured-load.js';
import { ADMIN_TOKEN, type AdministeredServer } from '../servers.js';
import type { BenchmarkDatabase, Stage } from '../stage.js';

export const CONNECTIONS = 256;
export const REPEAT_PERCENT = 90;

const POOL_CONNECTIONS = 2;
export const DEMO_LOAD = 1;

/** A server that is measured, with the load that is made for its customers. */
export interface LoadScene {
  readonly site: MeasuredSite;
  readonly load: Load;
}

/** Opens accounts on a server with demo data, and a load whose connections share them. */
export async function openLoadScene(
  stage: Stage,
  server: AdministeredServer,
  database: BenchmarkDatabase,
  keysOfEach = 1,
): Promise<LoadScene> {
  const pool = stage.pool(database.url, POOL_CONNECTIONS);
  const accounts = Math.min(stage.options.accounts, CONNECTIONS);
  const apiKeys = await openCustomers(server.adminUrl, ADMIN_TOKEN, accounts, keysOfEach);
  const paths = await demoPaths(pool, DEMO_LOAD);
  const calls = { paths, connections: CONNECTIONS, repeatPercent: REPEAT_PERCENT };
  stage.report(
    `${accounts} accounts, ${apiKeys.length} keys, ${CONNECTIONS} connections, ${paths.length} paths`,
  );
  const load = Load.start(stage.shutdown, { apiKeys, keysOfEach, ...calls });
  return { site: { server, database, pool }, load };
}

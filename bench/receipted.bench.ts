import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { openCustomers } from './customers.js';
import { demoPaths } from './demo-paths.js';
import { CONNECTIONS, DEMO_LOAD, openLoadScene } from './load/load-scene.js';
import type { LoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLoad } from './load/measured-load.js';
import { ADMIN_TOKEN, startWhole } from './servers.js';
import type { Stage } from './stage.js';

const MICROSECONDS = 1_000_000;
const MORE_AT_MOST = { atMost: 40 };

/** Throws where nobody signs. */
async function checkReceipt({ site }: LoadScene, adminUrl: string): Promise<void> {
  const [apiKey = ''] = await openCustomers(adminUrl, ADMIN_TOKEN, 1);
  const [path = ''] = await demoPaths(site.pool, DEMO_LOAD);
  const headers = { authorization: `Bearer ${apiKey}`, prefer: 'receipt' };
  const answer = await fetch(`${site.server.url}${path}`, { headers });
  if (!answer.headers.has('receipt')) throw new Error(`${path} is answered without a receipt.`);
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const database = await stage.database();
  const server = await startWhole(stage, database, 'receipts');
  const { site, load } = await openLoadScene(stage, server, database);
  await checkReceipt({ site, load }, server.adminUrl);
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    // The first round is for the compilers.
    const into = round === 0 ? new Measurements() : figures;
    const processors: number[] = [];
    for (const withReceipts of [false, true]) {
      const order = { seconds, connections: CONNECTIONS, withReceipts };
      const measured = await measureLoad(site, load, order);
      checkCharges(measured);
      const { serverCpu, databaseCpu, answers, perSecond } = measured;
      const cpu = (serverCpu ?? Number.NaN) + (databaseCpu ?? Number.NaN);
      processors.push((MICROSECONDS * cpu) / answers);
      const name = withReceipts ? 'with a receipt' : 'without';
      into.add(name, 'calls/s', perSecond);
      recordLoad(into, name, measured);
    }
    const [without = Number.NaN, signed = Number.NaN] = processors;
    into.add('more processor for a receipt', 'µs/call', signed - without, MORE_AT_MOST);
    stage.report(`${without.toFixed(1)} µs a call, ${signed.toFixed(1)} µs with a receipt`);
  }
  return figures.series();
}

export const receiptedBenchmark: Benchmark = {
  name: 'receipted',
  about:
    'metered GETs with `Prefer: receipt` beside the same without: processor time of all processes',
  run,
};

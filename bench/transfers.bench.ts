import { DECIDING_CONNECTIONS, startAccounting } from './accounting.js';
import { Callers } from './append-calls.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { inParallel } from './in-parallel.js';
import { SqlTransfers, transferOf } from './sql-transfers.js';
import type { Stage } from './stage.js';
import { recordTimed, timed } from './timed.js';

const ACCOUNTS = 10_000;
const CALLS = 20_000;
const IN_FLIGHT = [64, 256];

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url, pid } = await stage.database();
  const pool = stage.pool(url, DECIDING_CONNECTIONS);
  const deciding = await startAccounting(stage, pool);
  stage.report(`opening ${ACCOUNTS} accounts`);
  const callers = await Callers.open(deciding, ACCOUNTS);
  const transfers = await SqlTransfers.open(pool, callers.accounts, DECIDING_CONNECTIONS);
  const figures = new Measurements();
  for (let round = 0; round <= stage.options.rounds; round += 1) {
    // The first round is for the compilers.
    const into = round === 0 ? new Measurements() : figures;
    for (const inFlight of IN_FLIGHT) {
      const calls = callers.plan(CALLS);
      const decided = await timed(CALLS, pid, () => callers.call(calls, inFlight));
      const left = calls.map(transferOf);
      const move = async (): Promise<void> => {
        const next = () => left.pop();
        await inParallel(inFlight, next, async (one) => void (await transfers.transfer(one)));
      };
      const moved = await timed(CALLS, pid, move);
      const name = `${inFlight} in flight`;
      const ratio = decided.perSecond / moved.perSecond;
      into.add(`decisions / SQL transfers, ${name}`, 'ratio', ratio, { atLeast: 1.5 });
      recordTimed(into, `decisions, ${name}`, 'call', decided);
      recordTimed(into, `SQL transfers, ${name}`, 'call', moved);
    }
    stage.report(`round ${round} of ${stage.options.rounds}`);
  }
  return figures.series();
}

export const transfersBenchmark: Benchmark = {
  name: 'transfers',
  about: 'durable decisions beside batched SQL transfers with a funds check on the same database',
  run,
};

import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Argument, Command } from 'commander';
import { defaultShare } from '#web/configuration.js';
import { positiveInteger, wholeNumber } from './number-arguments.js';
import { runCommand } from '#web/run-main.js';
import { Shutdown } from '#web/shutdown.js';
import { endWithUsageCode } from '#web/usage-code.js';
import { appendBenchmark } from './append.bench.js';
import type { Benchmark } from './benchmark.js';
import { busyBenchmark } from './busy.bench.js';
import { bytesBenchmark } from './bytes.bench.js';
import { clusterBenchmark } from './cluster.bench.js';
import { pinCores } from './cores.js';
import { documentsBenchmark } from './documents.bench.js';
import { emmettBenchmark } from './emmett.bench.js';
import { freeBenchmark } from './free.bench.js';
import { hotBenchmark } from './hot.bench.js';
import { importBenchmark } from './import.bench.js';
import { invoicesBenchmark } from './invoices.bench.js';
import { keysBenchmark } from './keys.bench.js';
import { lagBenchmark } from './lag.bench.js';
import { largeLogBenchmark } from './large-log.bench.js';
import { latencyBenchmark } from './latency.bench.js';
import { logToolsBenchmark } from './log-tools.bench.js';
import { machineFacts, machineText } from './machine.js';
import { memoryBenchmark } from './memory.bench.js';
import { meteredBenchmark } from './metered.bench.js';
import { neighboursBenchmark } from './neighbours.bench.js';
import { projectionsBenchmark } from './projections.bench.js';
import { previewBenchmark } from './preview.bench.js';
import { readsBenchmark } from './reads.bench.js';
import { receiptedBenchmark } from './receipted.bench.js';
import { receiptsBenchmark } from './receipts.bench.js';
import { splitBenchmark } from './split.bench.js';
import { Stage, type BenchmarkOptions } from './stage.js';
import { startBenchmark } from './start.bench.js';
import { summarize, summaryTable, type Summary } from './summary.js';
import { transfersBenchmark } from './transfers.bench.js';

const BENCHMARKS: readonly Benchmark[] = [
  meteredBenchmark,
  freeBenchmark,
  latencyBenchmark,
  splitBenchmark,
  lagBenchmark,
  keysBenchmark,
  busyBenchmark,
  neighboursBenchmark,
  bytesBenchmark,
  appendBenchmark,
  hotBenchmark,
  clusterBenchmark,
  transfersBenchmark,
  emmettBenchmark,
  projectionsBenchmark,
  largeLogBenchmark,
  memoryBenchmark,
  logToolsBenchmark,
  previewBenchmark,
  readsBenchmark,
  receiptsBenchmark,
  receiptedBenchmark,
  documentsBenchmark,
  invoicesBenchmark,
  importBenchmark,
  startBenchmark,
];

interface Flags extends Omit<
  BenchmarkOptions,
  'dir' | 'events' | 'against' | 'cores' | 'deciders' | 'postgres'
> {
  readonly cores?: number;
  readonly deciders?: number;
  readonly against?: string;
  readonly dir?: string;
  readonly events?: number;
  readonly postgres?: string;
  readonly json?: string;
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

function fromCallersFolder(name: string): string {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), name);
}

function chosen(names: readonly string[]): Benchmark[] {
  if (names.length === 0) return BENCHMARKS.filter(({ onlyNamed }) => onlyNamed !== true);
  return BENCHMARKS.filter(({ name }) => names.includes(name));
}

/** Runs one benchmark and stops whatever it has started, also when it fails or is interrupted. */
async function measure(
  benchmark: Benchmark,
  options: BenchmarkOptions,
  outer: Shutdown,
): Promise<Summary[]> {
  const { name } = benchmark;
  const own = new Shutdown((line) => complain(`${name}: ${line}`));
  outer.stop(name, () => own.run());
  try {
    const stage = new Stage(options, own, (line) => complain(`${name}: ${line}`));
    const series = await benchmark.run(stage);
    return series.map(summarize);
  } finally {
    await own.run();
  }
}

async function measureAll(
  benchmarks: readonly Benchmark[],
  { json, dir, events, against, cores, deciders, postgres, ...flags }: Flags,
  shutdown: Shutdown,
): Promise<number> {
  const runsOn = cores ?? availableParallelism();
  const options = {
    ...flags,
    cores: runsOn,
    deciders: deciders ?? defaultShare(runsOn),
    events: events ?? null,
    postgres: postgres ?? null,
    dir: dir === undefined ? null : fromCallersFolder(dir),
    against: against === undefined ? null : fromCallersFolder(against),
  };
  const machine = await machineFacts(pinCores(cores ?? null));
  process.stdout.write(`${machineText(machine)}\n`);
  const results: Record<string, Summary[]> = {};
  for (const benchmark of benchmarks) {
    const summaries = await measure(benchmark, options, shutdown);
    results[benchmark.name] = summaries;
    const { name, about } = benchmark;
    process.stdout.write(`\n${name}: ${about}\n${summaryTable(summaries)}\n`);
    if (json === undefined) continue;
    // Written after each one: a failure of the next one loses nothing.
    const report = { at: new Date().toISOString(), machine, options, results };
    writeFileSync(fromCallersFolder(json), `${JSON.stringify(report, null, 2)}\n`);
  }
  return 0;
}

const list = BENCHMARKS.map(({ name, about }) => `  ${name.padEnd(9)} ${about}`).join('\n');
const program = new Command('npm run bench --')
  .description(`Measures on this machine, with real processes and a durable database:\n${list}`)
  .addArgument(
    new Argument('[names...]', 'which; all unless named').choices(
      BENCHMARKS.map(({ name }) => name),
    ),
  )
  .option('--rounds <n>', 'rounds that are counted', positiveInteger, 5)
  .option('--seconds <n>', 'load over HTTP: seconds of a round', positiveInteger, 5)
  .option('--accounts <n>', 'load over HTTP: accounts that share it', positiveInteger, 16)
  .option('--events <n>', 'calls in a log that is filled first; each has its own', positiveInteger)
  .option('--dir <dir>', 'import: a release of your own instead of the enlarged demo data')
  .option('--postgres <dir>', 'cluster: programs of a PostgreSQL that has Citus')
  .option('--cores <n>', 'run everything on so many cores', positiveInteger)
  .option('--deciders <n>', 'append: threads that decide, by default as in service', wholeNumber)
  .option('--against <dir>', 'keys: also measure the build of another checkout, in turns')
  .option('--json <file>', 'also write everything as JSON')
  .action(async (names: string[], flags: Flags) => {
    const benchmarks = chosen(names);
    await runCommand('bench', (shutdown) => measureAll(benchmarks, flags, shutdown));
  });
await endWithUsageCode(program).parseAsync();

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { runCommand } from '#web/run-main.js';
import { Shutdown } from '#web/shutdown.js';
import { appendBenchmark } from './append.bench.js';
import type { Benchmark } from './benchmark.js';
import { importBenchmark } from './import.bench.js';
import { machineFacts, machineText } from './machine.js';
import { meteredBenchmark } from './metered.bench.js';
import { Stage, type BenchmarkOptions } from './stage.js';
import { startBenchmark } from './start.bench.js';
import { summarize, summaryTable, type Summary } from './summary.js';

const BENCHMARKS = [meteredBenchmark, appendBenchmark, importBenchmark, startBenchmark];

interface Flags extends Omit<BenchmarkOptions, 'dir'> {
  readonly dir?: string;
  readonly json?: string;
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

function positiveInteger(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1.');
}

function fromCallersFolder(name: string): string {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), name);
}

function chosen(names: readonly string[]): Benchmark[] {
  return BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name));
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
  { json, dir, ...flags }: Flags,
  shutdown: Shutdown,
): Promise<number> {
  const options = { ...flags, dir: dir === undefined ? null : fromCallersFolder(dir) };
  const machine = await machineFacts();
  process.stdout.write(`${machineText(machine)}\n`);
  const results: Record<string, Summary[]> = {};
  for (const benchmark of benchmarks) {
    const summaries = await measure(benchmark, options, shutdown);
    results[benchmark.name] = summaries;
    const { name, about } = benchmark;
    process.stdout.write(`\n${name}: ${about}\n${summaryTable(summaries)}\n`);
  }
  if (json !== undefined) {
    const report = { at: new Date().toISOString(), machine, options, results };
    writeFileSync(fromCallersFolder(json), `${JSON.stringify(report, null, 2)}\n`);
  }
  return 0;
}

const list = BENCHMARKS.map(({ name, about }) => `  ${name.padEnd(8)} ${about}`).join('\n');
await new Command('npm run bench --')
  .description(`Measures on this machine, with real processes and a durable database:\n${list}`)
  .addArgument(
    new Argument('[names...]', 'which; all unless named').choices(
      BENCHMARKS.map(({ name }) => name),
    ),
  )
  .option('--rounds <n>', 'rounds that are counted', positiveInteger, 5)
  .option('--seconds <n>', 'metered: load of a round', positiveInteger, 5)
  .option('--accounts <n>', 'metered: accounts that share the 256 connections', positiveInteger, 1)
  .option('--dir <dir>', 'import: a release of your own instead of the enlarged demo data')
  .option('--json <file>', 'also write everything as JSON')
  .action(async (names: string[], flags: Flags) => {
    const benchmarks = chosen(names);
    await runCommand('bench', (shutdown) => measureAll(benchmarks, flags, shutdown));
  })
  .parseAsync();

import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { positiveInteger, wholeNumber } from '../../bench/number-arguments.js';
import { endWithUsageCode } from '#web/usage-code.js';
import { minimise } from './minimise.js';
import { PLANTED_BUGS } from './planted-bugs.js';
import { simulate, type SimulationOptions } from './simulation.js';

interface Order {
  readonly from: number;
  readonly seeds: number;
  readonly jobs: number;
  readonly planted: number | null;
  readonly options: SimulationOptions;
}

const SHOWN_FAILURES_MAX = 3;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Flags {
  readonly seeds: number;
  readonly from: number;
  readonly jobs: number;
  readonly seed?: number;
  readonly without?: readonly number[];
  readonly plant?: number;
}

function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber);
}

function plantedBug(text: string): number {
  const planted = wholeNumber(text);
  if (planted < PLANTED_BUGS.length) return planted;
  throw new InvalidArgumentError(`It takes a number from 0 to ${PLANTED_BUGS.length - 1}.`);
}

function program(): Command {
  return new Command('npm run simulate --')
    .description('Runs schedules against a simulated world. Exit code 1: a rule broke.')
    .option('--seeds <n>', 'how many schedules', positiveInteger, 1_000)
    .option('--from <n>', 'the first seed', wholeNumber, 1)
    .option('--jobs <n>', 'processes that share them', positiveInteger, availableParallelism())
    .addOption(
      new Option('--seed <n>', 'one schedule alone, step by step')
        .argParser(wholeNumber)
        .conflicts(['seeds', 'from', 'jobs']),
    )
    .option('--without <list>', 'of one schedule: actions left out, such as 3,4', wholeNumbers)
    .option('--plant <n>', 'with a planted bug, by its number', plantedBug)
    .hook('preAction', (command) => {
      const { seed, without } = command.opts<Flags>();
      if (without !== undefined && seed === undefined) {
        command.error("error: option '--without <list>' is of one schedule: it takes --seed too");
      }
    })
    .action(() => undefined);
}

/** Runs schedules by the command line's options. Returns the exit code: 1 when one failed. */
export async function main(args: readonly string[]): Promise<number> {
  // What the code under test throws where nobody listens leaves somebody without an answer too.
  process.on('unhandledRejection', (error) => say(`Nobody listens to ${String(error)}`));
  const command = endWithUsageCode(program()).parse([...args], { from: 'user' });
  const { seed, seeds, from, jobs, ...flags } = command.opts<Flags>();
  const planted = flags.plant ?? null;
  const planting = planted === null ? undefined : PLANTED_BUGS[planted]?.planting;
  const options = { without: new Set(flags.without), ...(planting && { planting }) };
  if (seed !== undefined) return replay(seed, options);
  const started = Date.now();
  const order = { from, seeds, jobs, planted, options };
  if (jobs <= 1) return (await runAll(order)) ? 0 : 1;
  const failed = await runParts(order);
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  say(`${seeds} schedules in ${seconds} s: ${failed ? 'FAILED' : 'all hold'}.`);
  return failed ? 1 : 0;
}

/** Shows one schedule step by step. */
async function replay(seed: number, options: SimulationOptions): Promise<number> {
  const outcome = await simulate(seed, { ...options, trace: say });
  if (outcome.passed) say(`Seed ${seed} holds: ${outcome.steps} steps, ${outcome.events} events.`);
  return outcome.passed ? 0 : 1;
}

async function runAll({ from, seeds, planted, options }: Order): Promise<boolean> {
  let failures = 0;
  let steps = 0;
  let events = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const outcome = await simulate(seed, options);
    steps += outcome.steps;
    if (outcome.passed) events += outcome.events;
    else if ((failures += 1) <= SHOWN_FAILURES_MAX) await show(seed, planted, options);
  }
  const mean = (sum: number) => (sum / seeds).toFixed(0);
  say(
    `Seeds ${from} to ${from + seeds - 1}: ${failures} failed; ` +
      `${mean(steps)} steps and ${mean(events)} events each.`,
  );
  return failures === 0;
}

/** The smallest failing form of a schedule, with the command that shows it again. */
async function show(
  seed: number,
  planted: number | null,
  options: SimulationOptions,
): Promise<void> {
  const without = await minimise(seed, options);
  const left = without.size === 0 ? '' : ` --without ${[...without].join(',')}`;
  const plant = planted === null ? '' : ` --plant ${planted}`;
  await simulate(seed, { ...options, without, trace: say });
  say(`Again: npm run simulate -- --seed ${seed}${left}${plant}\n`);
}

async function runParts({ from, seeds, jobs, planted }: Order): Promise<boolean> {
  const size = Math.ceil(seeds / jobs);
  const parts = Array.from({ length: jobs }, (_, index) => from + index * size);
  const codes = await Promise.all(
    parts.map(async (first) => {
      const count = Math.min(size, from + seeds - first);
      if (count <= 0) return 0;
      const plant = planted === null ? [] : ['--plant', String(planted)];
      const args = ['--from', String(first), '--seeds', String(count), '--jobs', '1', ...plant];
      const child = fork(process.argv[1] ?? '', args);
      return new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
    }),
  );
  return codes.some((code) => code !== 0);
}

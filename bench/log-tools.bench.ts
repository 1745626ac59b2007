import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Measurements, type Benchmark, type Goal, type Series } from './benchmark.js';
import { Child } from './child.js';
import { fillLog } from './fill/filled-log.js';
import { commonPlan } from './fill/fill-plan.js';
import { ADMIN_TOKEN } from './servers.js';
import type { Stage } from './stage.js';

const EVENTS = 1_000_000;
/** Where rebuild and verify have threads for all that they do; on fewer they have no goal. */
const MANY_CORES = 4;

/** As much of what a command reports as all have in common. */
interface Report {
  readonly seconds: number;
}

/** A command as an operator runs it; what it prints. Throws unless it succeeds. */
async function popindex<Printed>(stage: Stage, url: string, ...args: string[]): Promise<Printed> {
  const settings = { DATABASE_URL: url, DATA_DIR: await stage.folder(), ADMIN_TOKEN };
  const all = [...args, '--json'];
  const command = Child.startBuilt(stage.shutdown, 'apps/popindex/src/main.js', settings, all);
  const code = await command.end();
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${command.output}`);
  return JSON.parse(command.result) as Printed;
}

async function rebuildAll(stage: Stage, url: string): Promise<number> {
  const all = await popindex<{ readonly name: string }[]>(stage, url, 'projections', 'list');
  const names = all.map(({ name }) => name);
  const rebuild = ['projections', 'rebuild', ...names] as const;
  const { projections } = await popindex<{ projections: Report[] }>(stage, url, ...rebuild);
  return Math.max(...projections.map(({ seconds }) => seconds));
}

/** Into a database of its own, which is removed again. The projections are left to a service. */
async function restore(stage: Stage, backup: string): Promise<number> {
  const target = await stage.database();
  const { seconds } = await popindex<Report>(stage, target.url, 'restore', backup);
  await target.stop();
  await rm(target.dataDir, { recursive: true, force: true });
  return seconds;
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url } = await stage.database();
  const plan = commonPlan(stage.options.events ?? EVENTS, Date.now());
  stage.report('filling the log');
  const events = await fillLog(url, plan);
  const figures = new Measurements();
  const inThreads = stage.options.cores < MANY_CORES ? undefined : { atLeast: 120_000 };
  const add = (name: string, seconds: number, goal?: Goal): void => {
    stage.report(`${name} ${seconds.toFixed(1)} s`);
    figures.add(name, 'events/s', events / seconds, goal);
  };
  for (let round = 1; round <= stage.options.rounds; round += 1) {
    add('rebuild of all projections', await rebuildAll(stage, url), inThreads);
    const { seconds: verified } = await popindex<Report>(stage, url, 'verify');
    add('verify', verified, inThreads);
    const backup = path.join(await stage.folder(), 'backup');
    const { seconds: backedUp } = await popindex<Report>(stage, url, 'backup', backup);
    add('backup', backedUp, { atLeast: 100_000 });
    add('restore without rebuild', await restore(stage, backup), { atLeast: 80_000 });
    await rm(backup, { recursive: true });
  }
  figures.add('events in the log', 'events', events);
  return figures.series();
}

export const logToolsBenchmark: Benchmark = {
  name: 'log-tools',
  about: 'the commands that rebuild, verify, back up and restore a log, by the time each reports',
  run,
};

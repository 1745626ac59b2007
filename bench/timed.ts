import type { Goal, Measurements } from './benchmark.js';
import { collectGarbage } from './collect-garbage.js';
import { cpuSeconds } from './cpu-time.js';

const MICROSECONDS = 1_000_000;

/** Times of some work. Processor times are in microseconds for each unit of it. */
export interface WorkTimes {
  readonly perSecond: number;
  readonly ownCpu: number;
  /** Undefined where the system does not report it. */
  readonly databaseCpu: number | undefined;
}

/**
 * Times work of so many units, with the processor time of this process and of the database. What
 * was made before it, as the calls that it makes, is collected first.
 */
export async function timed(
  units: number,
  databasePid: number,
  work: () => Promise<void>,
): Promise<WorkTimes> {
  collectGarbage();
  const cpu = process.cpuUsage();
  const database = cpuSeconds(databasePid);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const databaseAfter = cpuSeconds(databasePid);
  return {
    perSecond: units / seconds,
    ownCpu: (user + system) / units,
    databaseCpu:
      database === undefined || databaseAfter === undefined
        ? undefined
        : (MICROSECONDS * (databaseAfter - database)) / units,
  };
}

/** Records a rate, in rows for one, and the processor times of a unit beside it. */
export function recordTimed(
  figures: Measurements,
  name: string,
  unit: string,
  { perSecond, ownCpu, databaseCpu }: WorkTimes,
  goal?: Goal,
): void {
  figures.add(name, `${unit}s/s`, perSecond, goal);
  figures.add(`${name}, processor, own`, `µs/${unit}`, ownCpu);
  if (databaseCpu !== undefined) {
    figures.add(`${name}, processor, database`, `µs/${unit}`, databaseCpu);
  }
}

import type pg from 'pg';
import type { Goal, Measurements } from '../benchmark.js';
import { collectGarbage } from '../collect-garbage.js';
import { cpuSeconds } from '../cpu-time.js';
import { LagSampler, type Lag } from './lag-sampler.js';
import type { Load, LoadOrder, LoadResult } from './load.js';
import type { Server } from '../servers.js';
import { settled } from './settled.js';
import type { BenchmarkDatabase } from '../stage.js';

const MICROSECONDS = 1_000_000;

/** The effects of one round of load on one server and its database. */
export interface MeasuredRound extends LoadResult {
  readonly lag: Lag;
  /** How long the projections took afterwards to catch up with the log. */
  readonly behindSeconds: number;
  /** Processor times in seconds; undefined where the system does not report them. */
  readonly serverCpu: number | undefined;
  readonly databaseCpu: number | undefined;
}

/** Where a load is measured. `pool` needs two connections. */
export interface MeasuredSite {
  readonly server: Server;
  readonly database: BenchmarkDatabase;
  readonly pool: pg.Pool;
}

function cpuOf(pids: readonly number[]): number | undefined {
  const all = pids.map(cpuSeconds);
  return all.includes(undefined) ? undefined : all.reduce<number>((sum, s) => sum + (s ?? 0), 0);
}

function difference(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}

/** One round, with the processor time of everything that it led to, projections included. */
export async function measureLoad(
  { server, database, pool }: MeasuredSite,
  load: Load,
  order: Omit<LoadOrder, 'url'>,
): Promise<MeasuredRound> {
  // On few processors a collection of this process would keep the server waiting for them.
  collectGarbage();
  const pids = server.processes.map(({ pid }) => pid);
  const [serverBefore, databaseBefore] = [cpuOf(pids), cpuOf([database.pid])];
  const sampler = LagSampler.start(pool);
  const result = await load.fire({ ...order, url: server.url });
  const lag = await sampler.stop();
  const behindSeconds = await settled(pool);
  return {
    ...result,
    lag,
    behindSeconds,
    serverCpu: difference(serverBefore, cpuOf(pids)),
    databaseCpu: difference(databaseBefore, cpuOf([database.pid])),
  };
}

/** Charges must have been what was asked for: a first call of a key costs more than a later one. */
export function checkCharges({ fresh, bases }: LoadResult): void {
  if (fresh === bases) return;
  throw new Error(`${fresh} first calls were made, and ${bases} charged as such.`);
}

interface LatencyGoals {
  readonly p50?: Goal;
  readonly p99?: Goal;
}

/** Latencies, the mix of calls, and the processor time of all who took part. */
export function recordLoad(
  figures: Measurements,
  name: string,
  round: MeasuredRound,
  goals: LatencyGoals = {},
): void {
  const { answers, fresh, serverCpu, databaseCpu, loadCpu } = round;
  recordLatencies(figures, name, round, goals);
  figures.add(`${name}, asked for the first time`, '%', (100 * fresh) / answers);
  const cpus = { server: serverCpu, database: databaseCpu, load: loadCpu };
  for (const [part, seconds] of Object.entries(cpus)) {
    if (seconds === undefined) continue;
    figures.add(`${name}, processor, ${part}`, 'µs/call', (MICROSECONDS * seconds) / answers);
  }
}

/** Plain latencies; what connecting and the first second took stands apart. */
export function recordLatencies(
  figures: Measurements,
  name: string,
  { connectMs, firstSecond, latencies }: LoadResult,
  goals: LatencyGoals = {},
): void {
  figures.add(`${name}, p50`, 'ms', latencies.p50Ms, goals.p50);
  figures.add(`${name}, p99`, 'ms', latencies.p99Ms, goals.p99);
  figures.addHistogram(`${name}, p99`, latencies.histogram);
  figures.add(`${name}, at most`, 'ms', latencies.maxMs);
  figures.add(`${name}, p99 in the first second`, 'ms', firstSecond.p99Ms);
  figures.add(`${name}, until all had connected`, 'ms', connectMs);
}

export function recordLag(figures: Measurements, { lag, behindSeconds }: MeasuredRound): void {
  figures.add('projections behind, 99 % of the time at most', 'ms', lag.p99Ms);
  figures.add('projections behind, at most', 'ms', lag.maxMs);
  figures.add('projections caught up after', 's', behindSeconds);
}

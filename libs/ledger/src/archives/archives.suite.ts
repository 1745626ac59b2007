import type pg from 'pg';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { terms, TUESDAY } from '#account/scenario.suite.js';
import { archiveCalls, bringBackCalls } from '#backup/archives/archive-calls.js';
import type { Archive } from '#event-log/archive-events.js';
import { standingArchives } from '#event-log/standing-archives.js';
import { archivedCall } from '#event-log/archived-call.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { verifyLog, type VerifyReport } from '../lane-threads/verify-log.js';
import { allProjections } from '../projections/projections.js';
import { LANE, OTHER_LANE, SoundLog } from '../verify/sound-log.suite.js';
import { archivableVersions } from './archivable-calls.js';

const LANES = [LANE, OTHER_LANE];
export const DECEMBER = '2026-12';
export const PROJECTIONS = allProjections(terms.calendar);

export let sound: SoundLog;
export let folder: string;

/** A sound log for each test, and a folder for its archives. */
export function useArchives(): void {
  beforeEach(async () => {
    sound = await SoundLog.make();
    folder = await mkdtemp(path.join(tmpdir(), 'archive-'));
  });

  afterEach(async () => {
    await sound.drop();
    await rm(folder, { recursive: true, force: true });
  });
}

function partsOf(stops = new Stops()) {
  const { pool, log } = sound;
  const system = new SystemStream(log);
  return {
    pool: stops.ofPool(pool),
    log,
    system: stops.of(system, 'append'),
    folder,
    now: () => TUESDAY,
  };
}

export async function archive(before = DECEMBER, stops?: Stops): Promise<Archive | null> {
  const lanes = await Promise.all(
    LANES.map(async (lane) => ({
      lane,
      versions: await archivableVersions(sound.pool, lane, before),
    })),
  );
  const made = await archiveCalls(partsOf(stops), before, lanes);
  await sound.project();
  return made;
}

export async function bringBack(stops?: Stops): Promise<void> {
  await bringBackCalls(partsOf(stops), await standingArchives(sound.pool));
  await sound.project();
}

export async function eventsOf(): Promise<readonly StoredEvent[]> {
  return (await Promise.all(LANES.map((lane) => sound.log.read(lane, 0, 1_000)))).flat();
}

export const archivedAmong = (events: readonly StoredEvent[]): StoredEvent[] =>
  events.filter(({ data }) => archivedCall(data) !== undefined);

export function verify(archives = folder): Promise<VerifyReport> {
  return verifyLog(sound.pool, PROJECTIONS, terms, { archives, lanes: [0, ...LANES] });
}

/** Ends work before or after one of its steps, as a process that is killed there. */
export class Stops {
  steps = 0;

  constructor(private readonly at = Infinity) {}

  of<Target extends object>(target: Target, name: keyof Target & string): Target {
    const work = (...values: unknown[]): Promise<unknown> =>
      this.step(async () => {
        const method = target[name] as (...all: unknown[]) => Promise<unknown>;
        return method.apply(target, values);
      });
    return new Proxy(target, {
      get: (whole, member) => {
        if (member === name) return work;
        const value = Reflect.get(whole, member) as unknown;
        return typeof value === 'function' ? (value as () => void).bind(whole) : value;
      },
    });
  }

  /** A pool whose transactions can end before or after each of their statements. */
  ofPool(pool: pg.Pool): pg.Pool {
    const connect = async (): Promise<pg.PoolClient> => {
      const client = await pool.connect();
      const stopping = this.of(client, 'query');
      return new Proxy(client, {
        get: (whole, member) => {
          const isInTransaction = whole.getTransactionStatus() !== 'I';
          const of = member === 'query' && isInTransaction ? stopping : whole;
          const value = Reflect.get(of, member) as unknown;
          return typeof value === 'function' ? (value as () => void).bind(of) : value;
        },
      });
    };
    return new Proxy(this.of(pool, 'query'), {
      get: (whole, member) =>
        member === 'connect' ? connect : (Reflect.get(whole, member) as unknown),
    });
  }

  private async step<Result>(work: () => Promise<Result>): Promise<Result> {
    if (++this.steps === this.at) throw new Error('killed');
    const result = await work();
    if (++this.steps === this.at) throw new Error('killed');
    return result;
  }
}

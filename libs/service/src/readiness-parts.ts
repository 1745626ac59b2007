import type pg from 'pg';
import type { PartState, Readiness } from '#web/readiness.js';
import { dataDirState } from './disk-watch.js';
import type { Foundations } from './foundations.js';

/** Asks one part whether it can serve. What it throws is why it cannot. */
export type AskPart = () => PartState | Promise<PartState>;

const ANSWER_MS_MAX = 2_000;

function late(mostMs: number): Promise<PartState> {
  return new Promise((resolve) => {
    const state = { ready: false, detail: `No answer within ${mostMs} ms.` };
    // An answer that has arrived while this process was busy is read before it counts as late.
    setTimeout(() => setImmediate(() => resolve(state)), mostMs).unref();
  });
}

async function ask(part: AskPart, mostMs: number): Promise<PartState> {
  try {
    return await Promise.race([part(), late(mostMs)]);
  } catch (error) {
    return { ready: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** All parts together: ready when each of them is, and has said so within `mostMs`. */
export function readinessOf(
  parts: Readonly<Record<string, AskPart>>,
  mostMs = ANSWER_MS_MAX,
): Readiness {
  return async () => {
    const names = Object.keys(parts);
    const states = await Promise.all(Object.values(parts).map((part) => ask(part, mostMs)));
    return {
      ready: states.every(({ ready }) => ready),
      parts: Object.fromEntries(states.map((state, index) => [names[index], state])),
    };
  };
}

/** Asks what somebody has to look at although the process serves. */
export type AskWarnings = () => Promise<readonly string[]>;

/** The same with warnings, which take nothing from being ready. */
export function withWarnings(readiness: Readiness, ...sources: readonly AskWarnings[]): Readiness {
  return async () => {
    const [state, ...warnings] = await Promise.all([readiness(), ...sources.map(inTime)]);
    return { ...state, warnings: warnings.flat() };
  };
}

/** A database that is away is told of by its part. */
function inTime(source: AskWarnings): Promise<readonly string[]> {
  const late = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve([]), ANSWER_MS_MAX).unref();
  });
  return Promise.race([source().catch(() => []), late]);
}

/** The parts that every process has. */
export function foundationParts(foundations: Foundations): Record<string, AskPart> {
  const { configuration, clock, disk, pool } = foundations;
  return {
    database: async () => {
      const writing = await writingState(pool);
      return writing.ready ? disk.state() : writing;
    },
    data_dir: () => dataDirState(configuration.dataDir),
    clock: () => clock.ready(),
  };
}

const READ_ONLY: PartState = {
  ready: false,
  detail: 'the database takes no writes: it is set to read-only, or is a standby',
};

/** Whether the database answers and takes writes. Throws what the driver throws. */
export async function writingState(pool: pg.Pool): Promise<PartState> {
  const { rows } = await pool.query<{ read_only: boolean }>(
    `select current_setting('transaction_read_only')::boolean as read_only`,
  );
  return rows[0]?.read_only === true ? READ_ONLY : { ready: true };
}

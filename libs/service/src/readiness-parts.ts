import type pg from 'pg';
import type { Log } from '#web/log.js';
import type { PartState, Readiness } from '#web/readiness.js';
import { briefCause } from './brief-cause.js';
import { coordinatorWarnings } from './coordinator-warnings.js';
import { damageWarnings } from './damage-warnings.js';
import { dataDirState } from './disk-watch.js';
import type { Foundations } from './foundations.js';
import { laneWarnings } from './lane-warnings.js';
import { syncWarnings } from './sync-warnings.js';
import { readWarnings } from './table-access.js';

/** Asks one part whether it can serve. What it throws is why it cannot; only its kind is shown. */
export type AskPart = () => PartState | Promise<PartState>;

const ANSWER_MS_MAX = 2_000;

function late(mostMs: number): Promise<PartState> {
  return new Promise((resolve) => {
    const state = { ready: false, detail: `No answer within ${mostMs} ms.` };
    // An answer that has arrived while this process was busy is read before it counts as late.
    setTimeout(() => setImmediate(() => resolve(state)), mostMs).unref();
  });
}

async function ask(
  part: AskPart,
  mostMs: number,
  onFault: (error: unknown) => void,
): Promise<PartState> {
  try {
    return await Promise.race([part(), late(mostMs)]);
  } catch (error) {
    onFault(error);
    return { ready: false, detail: briefCause(error) };
  }
}

/**
 * All parts together: ready when each of them is, and has said so within `mostMs`. The log gets the
 * whole fault of a part whenever it is another one than before.
 */
export function readinessOf(
  parts: Readonly<Record<string, AskPart>>,
  logger: Pick<Log, 'warn'>,
  mostMs = ANSWER_MS_MAX,
): Readiness {
  const logged = new Map<string, string>();
  const look = async ([name, part]: [string, AskPart]): Promise<[string, PartState]> => {
    const state = await ask(part, mostMs, (error) => {
      const text = String(error);
      if (logged.get(name) !== text)
        logger.warn({ err: error, part: name }, 'A part cannot serve.');
      logged.set(name, text);
    });
    if (state.ready) logged.delete(name);
    return [name, state];
  };
  return async () => {
    const states = await Promise.all(Object.entries(parts).map(look));
    return {
      ready: states.every(([, { ready }]) => ready),
      parts: Object.fromEntries(states),
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

/** A database that is away is reported by its part. */
function inTime(source: AskWarnings): Promise<readonly string[]> {
  const late = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve([]), ANSWER_MS_MAX).unref();
  });
  return Promise.race([source().catch(() => []), late]);
}

/** Warnings that every process has. */
export function foundationWarnings(foundations: Foundations): readonly AskWarnings[] {
  const { configuration, lostPositions, pool, callPool } = foundations;
  return [
    () => lostPositions.warnings(),
    () => damageWarnings(pool),
    () => readWarnings(callPool),
    () => coordinatorWarnings(callPool),
    async () => laneWarnings(await foundations.lanesAway()),
    ...(configuration.databaseRequireSync ? [() => syncWarnings(pool)] : []),
  ];
}

/** The parts that every process has. */
export function foundationParts(foundations: Foundations): Record<string, AskPart> {
  const { configuration, clock, disk, callPool } = foundations;
  return {
    database: async () => {
      const writing = await writingState(callPool);
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

import type pg from 'pg';
import { rebuildAllToEnd } from '#event-log/bring-up-projection.js';
import { readDamage } from '#event-log/damaged-accounts.js';
import type { Projection } from '#event-log/projection.js';
import type { RebuildOutcome } from '#event-log/rebuild-projection.js';
import { fillInThreads } from '#projections/lane-threads/fill-in-threads.js';
import { allProjections } from '#projections/projections/projections.js';
import type { Foundations } from '#service/foundations.js';
import { ProgressBar } from './progress-bar.js';
import { threadsFor } from './log-tool-work.js';
import { printResult } from './print-result.js';

type RebuiltProjection = RebuildOutcome & { readonly projection: string };

const NUMBERS = new Intl.NumberFormat('en');

/** Rebuilds projections; exit code 1 when somebody else rebuilds one of them. */
export async function rebuildNamed(
  pool: pg.Pool,
  foundations: Foundations,
  names: readonly string[],
  json: boolean,
): Promise<number> {
  const all = allProjections(foundations.calendar);
  const wanted = all.filter(({ name }) => names.includes(name));
  const projections = await rebuild(pool, foundations, wanted);
  const [first] = projections;
  const isOne = projections.length === 1;
  printResult(json, isOne ? first : { projections }, projections.map(textOf).join('\n'));
  return projections.every(({ outcome }) => outcome === 'rebuilt') ? 0 : 1;
}

/** Rebuilds each projection with a damaged account; exit code 1 if one is still damaged. */
export async function rebuildDamaged(
  pool: pg.Pool,
  foundations: Foundations,
  json: boolean,
): Promise<number> {
  const names = new Set((await readDamage(pool, {})).map(({ projection }) => projection));
  const wanted = allProjections(foundations.calendar).filter(({ name }) => names.has(name));
  const projections = await rebuild(pool, foundations, wanted);
  const left = new Set((await readDamage(pool, {})).map(({ accountId }) => accountId));
  const damaged = [...left];
  const text = left.size === 0 ? 'No account is damaged.' : `Damaged: ${damaged.join(', ')}`;
  const lines = [...projections.map(textOf), text];
  printResult(json, { projections, damaged_accounts: damaged }, lines.join('\n'));
  return left.size === 0 ? 0 : 1;
}

async function rebuild(
  pool: pg.Pool,
  { calendar, databaseUrl }: Foundations,
  projections: readonly Projection[],
): Promise<RebuiltProjection[]> {
  const bar = new ProgressBar();
  try {
    const outcomes = await rebuildAllToEnd(pool, projections, {
      fill: fillInThreads(threadsFor(databaseUrl), calendar.zone),
      onProgress: ({ stage, events, total }) => bar.show({ stage, done: events, total }),
    });
    return projections.flatMap(({ name }, index) => {
      const outcome = outcomes[index];
      return outcome === undefined ? [] : [{ projection: name, ...outcome }];
    });
  } finally {
    bar.stop();
  }
}

function textOf(rebuilt: RebuiltProjection): string {
  const { projection } = rebuilt;
  if (rebuilt.outcome === 'busy')
    return `Projection ${projection} is being rebuilt by somebody else.`;
  return (
    `Projection ${projection} was rebuilt from ${NUMBERS.format(rebuilt.events)} events in ` +
    `${rebuilt.seconds.toFixed(2)} s, and serves.`
  );
}

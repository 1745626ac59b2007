import type pg from 'pg';
import { rebuildToEnd } from '#event-log/bring-up-projection.js';
import { readDamage } from '#event-log/damaged-accounts.js';
import type { Projection } from '#event-log/projection.js';
import type { RebuildOutcome } from '#event-log/rebuild-projection.js';
import { fillInThreads } from '#ledger/lane-threads/fill-in-threads.js';
import { allProjections, PROJECTION_NAMES } from '#ledger/projections/projections.js';
import type { Foundations } from '#service/foundations.js';
import { StartupError } from '#web/startup-error.js';
import { ProgressBar } from './progress-bar.js';
import { threadsFor } from './log-tool-work.js';
import { printResult } from './print-result.js';

type Rebuilt = RebuildOutcome & { readonly projection: string };

const NUMBERS = new Intl.NumberFormat('en');

/** Rebuilds one projection; exit code 1 when somebody else does. */
export async function rebuildNamed(
  pool: pg.Pool,
  foundations: Foundations,
  name: string,
  json: boolean,
): Promise<number> {
  const all = allProjections(foundations.calendar);
  const projection = all.find((candidate) => candidate.name === name);
  if (projection === undefined) {
    const names = PROJECTION_NAMES.join(', ');
    throw new StartupError(`popindex: "${name}" is none of the projections: ${names}`);
  }
  const rebuilt = await rebuild(pool, foundations, projection);
  printResult(json, rebuilt, textOf(rebuilt));
  return rebuilt.outcome === 'rebuilt' ? 0 : 1;
}

/** Rebuilds each projection with a damaged account; exit code 1 if one is still damaged. */
export async function rebuildDamaged(
  pool: pg.Pool,
  foundations: Foundations,
  json: boolean,
): Promise<number> {
  const names = new Set((await readDamage(pool, {})).map(({ projection }) => projection));
  const projections: Rebuilt[] = [];
  for (const projection of allProjections(foundations.calendar)) {
    if (!names.has(projection.name)) continue;
    const rebuilt = await rebuild(pool, foundations, projection);
    projections.push(rebuilt);
    if (!json) process.stdout.write(`${textOf(rebuilt)}\n`);
  }
  const left = new Set((await readDamage(pool, {})).map(({ accountId }) => accountId));
  const damaged = [...left];
  const text = left.size === 0 ? 'No account is damaged.' : `Damaged: ${damaged.join(', ')}`;
  printResult(json, { projections, damaged_accounts: damaged }, text);
  return left.size === 0 ? 0 : 1;
}

async function rebuild(
  pool: pg.Pool,
  { calendar, databaseUrl }: Foundations,
  projection: Projection,
): Promise<Rebuilt> {
  const bar = new ProgressBar();
  try {
    const outcome = await rebuildToEnd(pool, projection, {
      fill: fillInThreads(threadsFor(databaseUrl), calendar.zone),
      onProgress: ({ stage, events, total }) => bar.show({ stage, done: events, total }),
    });
    return { projection: projection.name, ...outcome };
  } finally {
    bar.stop();
  }
}

function textOf(rebuilt: Rebuilt): string {
  const { projection } = rebuilt;
  if (rebuilt.outcome === 'busy')
    return `Projection ${projection} is being rebuilt by somebody else.`;
  return (
    `Projection ${projection} was rebuilt from ${NUMBERS.format(rebuilt.events)} events in ` +
    `${rebuilt.seconds.toFixed(2)} s, and serves.`
  );
}

import type pg from 'pg';
import { addConstraints, dropConstraints } from '#backup/table-constraints.js';
import { Calendar } from '#calendar/calendar.js';
import { laneOf } from '#event-log/event-log.js';
import { collectChanges, type Projection } from '#event-log/projection.js';
import { allProjections } from '#projections/projections/projections.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { copyAccountRows } from './account-copies.js';
import { AccountHistory } from './account-history.js';
import type { FillPlan } from './fill-plan.js';
import type { FilledLane } from './fill-worker.js';
import { filledAccountId } from './filled-account.js';
import { columnsOf } from './table-columns.js';

const EVENTS_PER_WRITE = 100_000;

/**
 * Brings every projection to the end of the filled lanes. Rows about an account follow from its own
 * events alone and are copied from the first account's. Rows that name positions are made for every
 * account; those are few, because no projection keeps a position of each call.
 */
export async function fillProjections(
  client: pg.ClientBase,
  plan: FillPlan,
  lanes: readonly FilledLane[],
): Promise<void> {
  const projections = allProjections(new Calendar(plan.zone));
  const aboutAccounts: Projection[] = [];
  for (const projection of projections) {
    if (!(await namesPositions(client, projection))) aboutAccounts.push(projection);
    else for (const { changes } of lanes) await projection.apply(changes, client);
  }
  await projectFirst(client, aboutAccounts, plan);
  const tables = aboutAccounts.flatMap((projection) => projection.tables);
  const constraints = await dropConstraints(client, tables);
  await copyAccountRows(client, tables, new Map(lanes.flatMap(({ rows }) => rows)));
  await addConstraints(client, constraints, () => undefined);
  await setCheckpoints(client, projections);
}

async function namesPositions(client: pg.ClientBase, { tables }: Projection): Promise<boolean> {
  for (const table of tables) {
    if ((await columnsOf(client, table)).some(({ name }) => name === 'position')) return true;
  }
  return false;
}

async function projectFirst(
  client: pg.ClientBase,
  projections: readonly Projection[],
  plan: FillPlan,
): Promise<void> {
  const terms = { calendar: new Calendar(plan.zone), cards: [RATE_CARD_1] };
  const lane = laneOf(filledAccountId(0));
  const changes = projections.map(collectChanges);
  const write = async (): Promise<void> => {
    for (const each of changes) await each.write(client);
  };
  for (const { hash: _hash, ...event } of new AccountHistory(plan, terms).events()) {
    const stored = { lane, position: event.accountVersion, ...event };
    for (const each of changes) each.add(stored);
    if (event.accountVersion % EVENTS_PER_WRITE === 0) await write();
  }
  await write();
}

async function setCheckpoints(
  client: pg.ClientBase,
  projections: readonly Projection[],
): Promise<void> {
  for (const { name, version } of projections) {
    await client.query(
      `insert into checkpoint (projection, version, lane, position)
       select $1, $2, lane, position from lane`,
      [name, version],
    );
  }
}

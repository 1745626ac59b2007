// Makes the rows of the lanes that it is given, one after the other, for the thread that began it.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { Calendar } from '#calendar/calendar.js';
import type { LaneEnd, StoredEvent } from '#event-log/event-log.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { AccountHistory } from './account-history.js';
import type { FillPlan } from './fill-plan.js';
import { ordinalsOfLane } from './filled-account.js';
import { LaneRows, type AccountRow, type RowsPart } from './lane-rows.js';
import { writtenRows } from './written-rows.js';

export interface FillWork {
  readonly plan: FillPlan;
  readonly lanes: readonly number[];
}

/** A finished lane: its end, its accounts' rows by ordinal, all but the calls. */
export interface FilledLane {
  readonly end: LaneEnd;
  readonly changes: readonly StoredEvent[];
  readonly rows: readonly (readonly [ordinal: number, row: AccountRow])[];
}

const UNWRITTEN_MAX = 8;

const port = parentPort;
if (port === null) throw new Error('This is a thread of another program.');
const { plan, lanes } = workerData as FillWork;
const terms = { calendar: new Calendar(plan.zone), cards: [RATE_CARD_1] };
let unwritten = 0;
// It hears of each part that was written.
port.on('message', () => (unwritten -= 1));

for (const lane of lanes) {
  const ordinals = ordinalsOfLane(plan.accounts, lane);
  if (ordinals.length === 0) continue;
  const made = new LaneRows(lane, ordinals, writtenRows(terms.calendar));
  for (const part of made.parts(new AccountHistory(plan, terms).events())) {
    while (unwritten >= UNWRITTEN_MAX) await once(port, 'message');
    unwritten += 1;
    port.postMessage(part satisfies RowsPart, [part.eventRows.buffer]);
  }
  const { end, rows, changes } = made;
  port.postMessage({ end, rows, changes } satisfies FilledLane);
}
port.unref();

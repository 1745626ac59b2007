import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { laneOf, type StoredEvent } from './event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from './event-row.js';
import { EVENTS_COLUMNS, eventsOfRow, type EventsRow } from './events-row.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'events-row', connectionsMax: 1 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const json = fc
  .record({ api_key: fc.nat(), text: fc.string({ unit: 'grapheme' }), more: fc.jsonValue() })
  .filter((value) => !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value)))
  .chain((value) => fc.constantFrom(JSON.stringify(value), JSON.stringify(value, null, '\r\n\t ')));

const event = fc.record({
  callId: fc.option(fc.uuid()),
  type: fc.constantFrom('CallMade', 'CallMadeX', 'WindowClosed', 'Zaß ✓'),
  at: fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
  data: json,
});

async function store(
  accountId: string,
  events: readonly Pick<StoredEvent, 'callId' | 'type' | 'at' | 'data'>[],
): Promise<void> {
  await pool.query('truncate event');
  for (const [index, { callId, type, at, data }] of events.entries()) {
    await pool.query(
      `insert into event (lane, position, account_id, account_version, call_id, type, at, data)
       values ($1, $2, $3, $4, $5, $6, timestamptz 'epoch' + $7::int8 * interval '1 millisecond', $8)`,
      [laneOf(accountId), 7 * index + 1, accountId, index + 1, callId, type, at, data],
    );
  }
}

async function inOneRow(accountId: string): Promise<StoredEvent[]> {
  const { rows } = await pool.query<EventsRow>(
    `select ${EVENTS_COLUMNS} from (
       select * from event where account_id = $1 order by account_version) e`,
    [accountId],
  );
  return rows.flatMap((row) => eventsOfRow(accountId, row));
}

test('events that are read in one row are those that are read one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
      const accountId = randomUUID();
      await store(
        accountId,
        events.map((each) => ({ ...each, callId: each.callId && randomUUID() })),
      );
      const { rows } = await pool.query<EventRow>(
        `select ${EVENT_COLUMNS} from event e where account_id = $1 order by account_version`,
        [accountId],
      );
      expect(await inOneRow(accountId)).toEqual(rows.map(toStoredEvent));
    }),
    { numRuns: 60 },
  );
});

test('a type that looks like two is no event of another type', async () => {
  const accountId = randomUUID();
  await store(accountId, [{ callId: null, type: 'Call\x1eMade', at: 0, data: '{}' }]);
  await expect(inOneRow(accountId)).rejects.toThrow(accountId);
});

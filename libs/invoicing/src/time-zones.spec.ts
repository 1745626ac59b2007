import { Calendar } from '#calendar/calendar.js';
import { SystemStream } from '#event-log/system-stream.js';
import { PostgresInvoiceReads } from '#projections/reads/postgres-invoice-reads.js';
import { withTransaction } from '#database/database.js';
import { readMoney } from '#rest/summary/money-sums.js';
import { itemsOf } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import { customer } from '../../../test/setup/invoicing-stage.js';

const MAY = '2026-05-24T09:00:00Z';
const HOUR_MS = 3_600_000;
/** Both sides of each change of the clocks that a zone may have. */
const MOMENTS = ['2026-01-15', '2026-04-10', '2026-07-15', '2026-10-15'].map((day) =>
  Date.parse(`${day}T12:00:00Z`),
);
/** Spellings of POSIX and others, which the database takes for zones in ways of its own. */
const SPELLINGS = ['europe/vienna', 'cet', 'UTC+3', '<+03>-3', 'EST5EDT', 'PST8PDT', 'Etc/GMT+3'];

const stage = adminStage();
let test: string;
let real: string;
let due = '';

beforeAll(async () => {
  test = await customer(stage, { plan: undefined, test_clock: MAY });
  const before = stage.now;
  stage.now = Date.parse(MAY);
  real = await customer(stage, { plan: undefined, test_clock: undefined });
  for (const id of [test, real]) {
    const sale = { credits: 1_000, kind: 'purchased', price: 1_000 };
    expect((await stage.post(`/accounts/${id}/grants`, sale)).status).toBe(201);
  }
  stage.now = before;
  const listed = itemsOf(await stage.get('/invoices'));
  due = String(listed[0]?.['due_date']);
  expect(listed.map((invoice) => invoice['due_date'])).toEqual([due, due]);
});

/** Names of zones that this process and the database understand, differently at some moment. */
async function ambiguousZones(): Promise<string[]> {
  const { rows: known } = await stage.pool.query<{ name: string }>(
    `select name from pg_timezone_names union select abbrev from pg_timezone_abbrevs`,
  );
  const names = known.map(({ name }) => name).filter((name) => isZone(name));
  const { rows } = await stage.pool.query<{ name: string; at: number; offset: number }>(
    `select name, at::float8, (extract(epoch from m at time zone name)
                               - extract(epoch from m at time zone 'UTC'))::float8 as "offset"
       from unnest($1::text[]) name, unnest($2::float8[]) at,
            lateral (select to_timestamp(at / 1000) as m) given`,
    [names, MOMENTS],
  );
  const differing = rows.filter(({ name, at, offset }) => offsetAt(name, at) !== offset);
  return [...new Set(differing.map(({ name }) => name))];
}

/** Names that this process knows and the database does not. */
async function unknownZones(): Promise<string[]> {
  const { rows } = await stage.pool.query<{ name: string }>(
    `select given as name from unnest($1::text[]) given
      where not exists (select from pg_timezone_names n where lower(n.name) = lower(given))`,
    [Intl.supportedValuesOf('timeZone')],
  );
  return rows.map(({ name }) => name);
}

/** Seconds ahead of UTC, as the calendar has it. */
function offsetAt(zone: string, at: number): number {
  const [, sign, hours, minutes] =
    /([+-])(\d\d):(\d\d)$/.exec(new Calendar(zone).localTime(at)) ?? [];
  return Number(`${sign ?? ''}1`) * (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60);
}

function isZone(name: string): boolean {
  try {
    return new Calendar(name).zone === name && /^[a-z]/i.test(name);
  } catch {
    return false;
  }
}

interface Stand {
  readonly byAccount: readonly string[];
  readonly ofAll: readonly string[];
  readonly overdue: number;
}

/** The invoices' states at a moment, for the account in real time and for the one with a clock. */
async function stand(calendar: Calendar, at: number): Promise<Stand> {
  await stage.pool.query(
    `update ledger_account set state = jsonb_set(state::jsonb, '{testClock}', to_jsonb($2::bigint))
      where account_id = $1`,
    [test, at],
  );
  const clock = { now: () => at };
  const reads = new PostgresInvoiceReads(stage.pool, new SystemStream(stage.log), calendar, clock);
  const any = { month: null, status: null, test: null, after: null, limit: 10 };
  const own = [real, test].map((accountId) => reads.invoices({ ...any, accountId }));
  const all = await reads.invoices({ ...any, accountId: null });
  const filtered = await reads.invoices({ ...any, accountId: null, status: 'overdue' });
  const sums = [false, true].map((each) => {
    const parts = { now: at, test: each, liabilities: new Map<string, number>() };
    return withTransaction(stage.pool, (client) => readMoney(client, calendar, parts));
  });
  const money = (await Promise.all(sums)).flat();
  const overdue = money.reduce((sum, { overdue_invoices: count }) => sum + count, 0);
  expect(filtered.items).toHaveLength(overdue);
  return {
    byAccount: (await Promise.all(own)).flatMap(({ items }) => items).map(statusOf),
    ofAll: [real, test].flatMap((id) =>
      all.items.filter(({ account_id: owner }) => owner === id).map(statusOf),
    ),
    overdue,
  };
}

function statusOf({ state }: { readonly state: { readonly status: string } }): string {
  return state.status;
}

it('an invoice is overdue from the first moment of the local day after, in every zone', async () => {
  const ambiguous = await ambiguousZones();
  expect(ambiguous).toEqual(expect.arrayContaining(['CET', 'EET', 'MET', 'WET']));
  const zones = new Set([
    ...ambiguous,
    ...(await unknownZones()),
    ...SPELLINGS.filter(isZone),
    'Pacific/Kiritimati',
    'Etc/GMT+12',
    'UTC',
  ]);
  for (const zone of zones) {
    const calendar = new Calendar(zone);
    const { endsAt } = calendar.dayAt(calendar.startOfDate(due));
    const isNot = { byAccount: ['issued', 'issued'], ofAll: ['issued', 'issued'], overdue: 0 };
    const is = { byAccount: ['overdue', 'overdue'], ofAll: ['overdue', 'overdue'], overdue: 2 };
    for (const before of [1, HOUR_MS]) {
      expect({ zone, ...(await stand(calendar, endsAt - before)) }).toEqual({ zone, ...isNot });
    }
    for (const after of [0, HOUR_MS]) {
      expect({ zone, ...(await stand(calendar, endsAt + after)) }).toEqual({ zone, ...is });
    }
  }
}, 60_000);

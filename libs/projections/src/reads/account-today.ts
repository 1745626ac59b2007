import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';

/**
 * Local dates as a statement about accounts needs them. They come from the calendar: the
 * database reads names of zones in ways of its own, and `CET` as one without a summer time.
 */
export interface LocalDates {
  /** Of all accounts in real time. */
  readonly today: string;
  /** Where test clocks stand, ms since 1970, with their dates: an object in JSON. */
  readonly ofTestClocks: string;
}

/** Local dates of all accounts that have open invoices. Read in the snapshot of the statement. */
export async function readLocalDates(
  client: pg.ClientBase,
  calendar: Calendar,
  now: number,
): Promise<LocalDates> {
  const { rows } = await client.query<{ clock: string }>({
    name: 'test-clocks-of-open-invoices',
    text: `select distinct a.state ->> 'testClock' as clock
             from invoice i join ledger_account a on a.lane = i.lane and a.account_id = i.account_id
            where i.paid + i.credited + i.written_off < i.total and i.series like 'TEST-%'
              and a.state ->> 'testClock' is not null`,
  });
  const days = rows.map(({ clock }) => [clock, calendar.dayAt(Number(clock)).label]);
  return {
    today: calendar.dayAt(now).label,
    ofTestClocks: JSON.stringify(Object.fromEntries(days)),
  };
}

/**
 * The local date of the account in `a`, a row of `ledger_account`, in SQL. The names of two
 * parameters: `ofTestClocks` and `today` of `LocalDates`.
 */
export function accountToday(ofTestClocks: `$${number}`, today: `$${number}`): string {
  return `coalesce(${ofTestClocks}::jsonb ->> (a.state ->> 'testClock'), ${today})`;
}

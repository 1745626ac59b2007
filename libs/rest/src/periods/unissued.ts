import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';

/** The month in which the oldest account that is no test was opened; null: there is none. */
export async function firstMonth(pool: pg.Pool, calendar: Calendar): Promise<string | null> {
  const { rows } = await pool.query<{ at: number | null }>({
    name: 'periods-first',
    text: `select min((state ->> 'openedAt')::bigint) as at from ledger_account
            where not (state ->> 'test')::boolean`,
  });
  const at = rows[0]?.at ?? null;
  return at === null ? null : calendar.monthAt(at).label;
}

/**
 * How many documents of accounts that are no tests are still to be sealed or numbered: of months up
 * to one, or issued before a local date.
 */
export async function readUnissued(pool: pg.Pool, before: string, month: string): Promise<number> {
  const rows = await queryAllLanes<{ count: number }>(pool, {
    name: 'periods-unissued',
    text: `select count(*) as count
             from (select lane, account_id from invoice_month m
                    where is_billable and not is_sealed and month <= $2
                   union all
                   select lane, account_id from document_due d
                    where not exists (
                          select from held_invoice h
                                       where h.lane = d.lane and h.document_id = d.document_id
                                         and h.month > $2)
                   union all
                   select d.lane, d.account_id
                     from (select lane, account_id, id, issue_date from invoice i
                           union all
                           select lane, account_id, id, issue_date from credit_note c) d
                    where d.issue_date < $1
                      and not exists (select from invoice_number n where n.document_id = d.id)) o
             join ledger_account a on a.lane = o.lane and a.account_id = o.account_id
            where not (a.state ->> 'test')::boolean`,
    values: [before, month],
  });
  return rows.reduce((sum, { count }) => sum + count, 0);
}

import type pg from 'pg';
import { INVOICES } from '../projections/invoices.projection.js';

/**
 * Of each account of a lane the version of the event that closed its last month before one
 * (`2026-06`): no reading of its state or sums needs the data of its calls before that event. Left
 * out are accounts of which a document of such a month is not issued, or an event is damaged, and
 * those whose rows have not come so far.
 */
export async function archivableVersions(
  pool: pg.Pool,
  lane: number,
  before: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ account_id: string; version: number }>({
    name: 'archivable-versions',
    text: `select e.account_id, max(e.account_version)::int8 as version
             from event e
             join ledger_account a on a.lane = e.lane and a.account_id = e.account_id
             join usage_reached u on u.lane = e.lane and u.account_id = e.account_id
            where e.lane = $1 and a.lane = $1 and u.lane = $1
              and e.type <> 'CallMade' and e.type = 'MonthClosed' and e.data ->> 'month' < $2
              and e.account_version <= least(a.version, u.version)
              and exists (select from checkpoint c
                           where c.projection = '${INVOICES}' and c.lane = $1
                             and c.position >= e.position)
              and not exists (select from damaged_account d
                               where d.lane = $1 and d.account_id = e.account_id)
              and not exists (select from invoice_month m
                               where m.lane = $1 and m.account_id = e.account_id
                                 and m.is_billable and not m.is_sealed and m.month < $2)
              and not exists (select from document_due d
                               where d.lane = $1 and d.account_id = e.account_id)
            group by 1`,
    values: [lane, before],
  });
  return new Map(rows.map(({ account_id: id, version }) => [id, version]));
}

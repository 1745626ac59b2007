import type pg from 'pg';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import {
  CREDIT_NOTE_NUMBERED,
  INVOICE_NUMBERED,
  type CreditNoteNumbered,
  type InvoiceNumbered,
} from '#ledger/events/number-events.js';
import { queryEachGroup } from '#event-log/query-by-group.js';
import type { Column } from '#web/csv.js';

type Numbered = (InvoiceNumbered | CreditNoteNumbered) & {
  readonly position: number;
  /** A local date. */
  readonly issue_date: string | undefined;
};

interface Head {
  readonly lane: number;
  readonly position: number;
  readonly head: string;
}

interface AccountHead extends Omit<Head, 'position'> {
  readonly account_id: string;
  readonly version: number;
}

export const NUMBER_COLUMNS: readonly Column<Numbered>[] = [
  { name: 'series', cell: ({ series }) => series },
  { name: 'ordinal', cell: ({ ordinal }) => ordinal },
  { name: 'number', cell: ({ number }) => number },
  { name: 'position', cell: ({ position }) => position },
  { name: 'account_id', cell: ({ account_id: id }) => id },
  { name: 'currency', cell: ({ currency }) => currency },
  { name: 'total', cell: ({ total }) => total },
  { name: 'sha256_json', cell: ({ documents }) => documents.json },
  { name: 'sha256_pdf', cell: ({ documents }) => documents.pdf },
  { name: 'issue_date', cell: ({ issue_date: date }) => date },
];

export const HEAD_COLUMNS: readonly Column<Head>[] = [
  { name: 'lane', cell: ({ lane }) => lane },
  { name: 'position', cell: ({ position }) => position },
  { name: 'head', cell: ({ head }) => head },
];

export const ACCOUNT_HEAD_COLUMNS: readonly Column<AccountHead>[] = [
  { name: 'lane', cell: ({ lane }) => lane },
  { name: 'account_id', cell: ({ account_id: id }) => id },
  { name: 'version', cell: ({ version }) => version },
  { name: 'head', cell: ({ head }) => head },
];

/** All numbers that were ever given, in the order in which they were: the log is their proof. */
export async function readNumbers(pool: pg.Pool): Promise<readonly Numbered[]> {
  const { rows } = await pool.query<{ readonly position: number; readonly data: string }>(
    `select e.position, e.data::text as data from event e
      where e.lane = ${SYSTEM_LANE} and e.type in ($1, $2) order by e.position`,
    [INVOICE_NUMBERED, CREDIT_NOTE_NUMBERED],
  );
  const dates = await readIssueDates(pool);
  return rows.map(({ position, data }) => {
    const numbered = JSON.parse(data) as InvoiceNumbered;
    return { ...numbered, position, issue_date: dates.get(numbered.id) };
  });
}

async function readIssueDates(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const rows = await queryEachGroup<{ id: string; date: string }>(pool, (inGroup) => ({
    text: `select id, issue_date as date from invoice i where ${inGroup('i')}
           union all
           select id, issue_date as date from credit_note c where ${inGroup('c')}`,
  }));
  return new Map(rows.map(({ id, date }) => [id, date]));
}

/** Where each lane stands, and the hash over all of it. */
export async function readLaneHeads(pool: pg.Pool): Promise<readonly Head[]> {
  const { rows } = await pool.query<Head>(
    `select lane, position, encode(head, 'hex') as head from lane order by lane`,
  );
  return rows;
}

/** Where each account stands, and the hash over all of its events. */
export async function readAccountHeads(pool: pg.Pool): Promise<readonly AccountHead[]> {
  const { rows } = await pool.query<AccountHead>(
    `select lane, account_id, version, encode(head, 'hex') as head from ledger_account
      order by lane, account_id`,
  );
  return rows;
}

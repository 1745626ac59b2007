import type pg from 'pg';
import { SYSTEM_ACCOUNT, SYSTEM_LANE, laneOf } from '#event-log/event-log.js';
import type { HeldSummary } from '../views/invoice-reads.js';
import { queryByLane, queryAllLanes } from '#event-log/query-by-lane.js';

/** An invoice that is due and lacks facts, as it was judged. */
export interface HeldInvoice {
  /** Whether it is a closed month's; else it is of one purchase. */
  readonly isMonth: boolean;
  /** Version of the account, and position of the seller's newest change, at which it was judged. */
  readonly accountVersion: number;
  readonly systemPosition: number;
  readonly summary: HeldSummary;
}

/**
 * Whether a row `h` was judged by the facts as the projection has them: nothing is to be done.
 * `seller`: the parameter with the `sellerVersion`.
 */
export const stands = (seller: string): string => `
  h.system_position >= ${seller}::int8
  and h.account_version >= greatest(0,
        (select version from invoice_fact f
          where (f.lane, f.account_id) = (h.lane, h.account_id)),
        (select max(c.close_version) from invoice_month c
          where (c.lane, c.account_id) = (h.lane, h.account_id)),
        (select max(i.account_version) from invoice i
          where (i.lane, i.account_id) = (h.lane, h.account_id)))`;

/** Position of the newest change of the facts of all invoices, as the projection has it. */
export async function sellerVersion(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ version: number }>({
    name: 'seller-version',
    text: `select version from invoice_fact
            where lane = ${SYSTEM_LANE} and account_id = '${SYSTEM_ACCOUNT}'`,
  });
  return rows[0]?.version ?? 0;
}

/** Whether what a row `h` is of is still to be issued. */
export const IS_DUE = `
  case when h.is_month
       then exists (select from invoice_month m
                     where (m.lane, m.account_id, m.month) = (h.lane, h.account_id, h.month)
                       and m.is_billable and not m.is_sealed)
       else exists (select from document_due d
                     where (d.lane, d.document_id) = (h.lane, h.document_id)) end`;

/** Keeps or replaces them. They follow from the log: none is missed when they are lost. */
export async function saveHeld(pool: pg.Pool, held: readonly HeldInvoice[]): Promise<void> {
  if (held.length === 0) return;
  await pool.query({
    name: 'held-save',
    text: `insert into held_invoice (lane, account_id, document_id, month, is_month,
                                     account_version, system_position, summary)
           select * from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::text[], $5::boolean[],
                                $6::bigint[], $7::bigint[], $8::jsonb[])
           on conflict (lane, account_id, document_id) do update
              set account_version = excluded.account_version,
                  system_position = excluded.system_position, summary = excluded.summary`,
    values: [
      held.map(({ summary }) => laneOf(summary.account_id)),
      held.map(({ summary }) => summary.account_id),
      held.map(({ summary }) => summary.id),
      held.map(({ summary }) => summary.month),
      held.map(({ isMonth }) => isMonth),
      held.map(({ accountVersion }) => accountVersion),
      held.map(({ systemPosition }) => systemPosition),
      held.map(({ summary }) => JSON.stringify(summary)),
    ],
  });
}

/** Names a held invoice. */
export interface HeldId {
  readonly accountId: string;
  readonly documentId: string;
}

/** Forgets those that were sealed. */
export async function dropHeld(pool: pg.Pool, gone: readonly HeldId[]): Promise<void> {
  const byLane = ({ accountId }: HeldId): number => laneOf(accountId);
  await queryByLane<never, HeldId>(pool, gone, byLane, (own) => ({
    name: 'held-drop',
    text: `delete from held_invoice h where (lane, account_id, document_id) in (
             select * from unnest($1::smallint[], $2::uuid[], $3::uuid[]))`,
    values: [
      own.map(byLane),
      own.map(({ accountId }) => accountId),
      own.map(({ documentId }) => documentId),
    ],
  }));
}

/** An invoice that was held when it was judged last. */
export interface KeptHeld {
  readonly documentId: string;
  readonly month: string;
  readonly isMonth: boolean;
}

/** Invoices that are held of accounts, or were before a process failed. */
export async function readHeldOf(
  db: pg.Pool | pg.ClientBase,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly KeptHeld[]>> {
  const rows = await queryByLane<KeptHeld & { readonly account_id: string }, string>(
    db,
    accountIds,
    laneOf,
    (own) => ({
      name: 'held-of',
      text: `select account_id, document_id as "documentId", month, is_month as "isMonth"
             from held_invoice h where (lane, account_id) in (
               select * from unnest($1::smallint[], $2::uuid[]))
            order by month`,
      values: [own.map(laneOf), own],
    }),
  );
  const found = new Map<string, KeptHeld[]>();
  for (const { account_id: accountId, ...held } of rows) {
    found.set(accountId, [...(found.get(accountId) ?? []), held]);
  }
  return found;
}

/** The account of a held invoice; undefined: there is none of that id. */
export async function findHeldAccount(
  db: pg.Pool | pg.ClientBase,
  documentId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'held-account',
    text: 'select account_id from held_invoice where document_id = $1',
    values: [documentId],
  });
  return rows[0]?.account_id;
}

/** Held invoices of a currency: how many, and their totals in minor units. */
export interface HeldSum {
  readonly currency: string;
  readonly invoices: number;
  readonly total: number;
}

/** How many invoices of customers are held, or of test accounts, and over how much, by currency. */
export async function sumHeld(
  db: pg.Pool | pg.ClientBase,
  test: boolean,
): Promise<readonly HeldSum[]> {
  const rows = await queryAllLanes<HeldSum>(db, {
    name: 'held-sums',
    text: `select h.summary ->> 'currency' as currency, count(*) as invoices,
                  sum((h.summary ->> 'total')::bigint)::bigint as total
             from held_invoice h
            where (h.summary ->> 'test')::boolean = $1 and ${IS_DUE}
            group by 1`,
    values: [test],
  });
  const sums = new Map<string, HeldSum>();
  for (const { currency, invoices, total } of rows) {
    const { invoices: before = 0, total: sum = 0 } = sums.get(currency) ?? {};
    sums.set(currency, { currency, invoices: before + invoices, total: sum + total });
  }
  return [...sums.values()];
}

/** How many invoices of customers are held. */
export async function countHeld(db: pg.Pool | pg.ClientBase): Promise<number> {
  return (await sumHeld(db, false)).reduce((sum, { invoices }) => sum + invoices, 0);
}

import type pg from 'pg';
import { stretchesOf, type PreviewScope, type Stretch } from './preview-stretches.js';
import type { Counts } from '#rating/rate.js';
import type { CallGroup } from './preview-sums.js';

/** Few enough that reading what comes back never holds the event loop for long. */
const EVENTS_PER_QUERY = 2_000;
/** Two cores read as fast as they can, and leave the pool to others between any two queries. */
const QUERIES_AT_ONCE = 2;

/**
 * Hands the calls of a scope to `onGroups`, group by group, in no order. It reads the log in short
 * statements and writes nothing. Throws the signal's reason, and whatever a query throws.
 */
export async function scanCalls(
  pool: pg.Pool,
  scope: PreviewScope & { readonly product: string },
  onGroups: (groups: readonly CallGroup[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queries = pagesOf(await stretchesOf(pool, scope));
  const work = async (): Promise<void> => {
    for (const page of queries) {
      signal.throwIfAborted();
      await onGroups(await readGroups(pool, page, scope));
    }
  };
  await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, work));
}

function* pagesOf(stretches: readonly Stretch[]): Generator<Stretch> {
  for (const stretch of stretches) {
    for (let { after } = stretch; after < stretch.last; after += EVENTS_PER_QUERY) {
      yield { ...stretch, after, last: Math.min(stretch.last, after + EVENTS_PER_QUERY) };
    }
  }
}

type GroupRow = [
  account: string,
  cost: string,
  key: string | null,
  rows: string | null,
  units: string | null,
  calls: number,
];

async function readGroups(
  pool: pg.Pool,
  { lane, accountId, after, last }: Stretch,
  { from, to, product }: PreviewScope & { readonly product: string },
): Promise<CallGroup[]> {
  const ofAccount = accountId !== null;
  const { rows } = await pool.query<GroupRow>({
    name: ofAccount ? 'preview-account' : 'preview-lane',
    rowMode: 'array',
    text: groupsText(
      ofAccount
        ? 'account_id = $7 and account_version > $2 and account_version <= $3'
        : 'position > $2 and position <= $3',
    ),
    values: [
      lane,
      after,
      last,
      from,
      to,
      `{"key":"/${product}/`,
      ...(ofAccount ? [accountId] : []),
    ],
  });
  return rows.map(toGroup);
}

/**
 * Repeats fall together here, so that few rows leave the database. The text of a call begins with
 * its key, and that with its product. Taking a member out of the text reads all of it: key, rows
 * and units are taken of calls alone that pay for their data, and the inner query is kept apart
 * (`offset 0`) because the members it takes are used more than once.
 */
function groupsText(stretch: string): string {
  return `
    select account_id, cost, case when kind <> 'repeat' then data ->> 'key' end as key,
           case when kind <> 'repeat' then data ->> 'rows' end as rows,
           case when kind <> 'repeat' then data ->> 'units' end as units, count(*)::int as calls
      from (select account_id, data, data ->> 'kind' as kind, data ->> 'cost' as cost
              from event
             where lane = $1 and ${stretch} and type = 'CallMade' and starts_with(data::text, $6)
               and at >= to_timestamp($4::bigint / 1000.0)
               and at < to_timestamp($5::bigint / 1000.0) offset 0) as call
     group by 1, 2, 3, 4, 5`;
}

function toGroup([accountId, cost, key, rows, units, calls]: GroupRow): CallGroup {
  const [callCredits = 0, dataCredits = 0] = JSON.parse(cost) as readonly number[];
  const counted = units === null ? undefined : (JSON.parse(units) as Counts);
  const first = key === null ? null : { key, rows: Number(rows), units: counted };
  return { accountId, first, credits: callCredits + dataCredits, calls };
}

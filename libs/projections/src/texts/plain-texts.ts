import type pg from 'pg';
import { laneOf, SYSTEM_LANE } from '#event-log/event-log.js';

/** How many texts of an account stand in its events as they were said, by kind. */
export interface PlainTexts {
  readonly reasons: number;
  readonly references: number;
  readonly urls: number;
  /** Calls with tags. */
  readonly tagged_calls: number;
}

/** Versions that one statement reads. */
const SLICE = 50_000;

/**
 * Counts what an account's events still say in plain text, because they were written before texts
 * were encrypted: it cannot be taken out of the log. Takes as long as there are calls.
 */
export async function countPlainTexts(
  pool: pg.Pool,
  accountId: string,
  version: number,
): Promise<PlainTexts> {
  const lane = laneOf(accountId);
  const { rows } = await pool.query<Omit<PlainTexts, 'tagged_calls'>>(
    `select count(*) filter (where data ->> 'reason' not like '~%' and data ->> 'reason' <> '')
              as reasons,
            count(*) filter (where type = 'PaymentRecorded' and data ->> 'reference' not like '~%'
                               and data ->> 'reference' <> '') as references,
            count(*) filter (where type = 'WebhookCreated' and data ->> 'url' not like '~%') as urls
       from (select type, data from event
              where lane = $1 and account_id = $2 and type <> 'CallMade'
              union all
             select type, data from event
              where lane = $3 and data ->> 'account_id' = $2::text) counted`,
    [lane, accountId, SYSTEM_LANE],
  );
  let tagged = 0;
  for (let first = 1; first <= version; first += SLICE) {
    const { rows: sums } = await pool.query<{ calls: number }>({
      name: 'plain-tags',
      text: `select count(*) as calls from event
              where lane = $1 and account_id = $2 and account_version between $3 and $4
                and type = 'CallMade' and data::text like '%"tags":{"%'
                and data::text not like '%"tags":{"~%'`,
      values: [lane, accountId, first, first + SLICE - 1],
    });
    tagged += sums[0]?.calls ?? 0;
  }
  const [counted] = rows;
  if (counted === undefined) throw new Error('The database counted nothing.');
  return { ...counted, tagged_calls: tagged };
}

import type pg from 'pg';
import { withAccountNames } from '#projections/reads/account-names.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import { momentOfMs } from '#database/moment-of.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import { found, PROBLEMS } from '#web/problem.js';
import { BadCursorError } from '#web/read-errors.js';
import type { Table } from '#web/table-answer.js';
import type { RefusalQuery } from './refusal-query.js';
import type { RefusalView } from './refusal.schemas.js';

const LIST = 'refusals';
const NUMBER = /^\d{1,15}$/;

interface Row extends Omit<RefusalView, 'status' | 'at' | 'first_at'> {
  readonly at: Date;
  readonly first_at: Date;
  /** Orders rows of one moment. */
  readonly position: string;
}

/** Refused calls of accounts, as far as they are kept. */
export class Refusals {
  constructor(
    private readonly pool: pg.Pool,
    private readonly reads: Pick<AccountReads, 'account'>,
  ) {}

  /** `accountId`: whose; null: those of all accounts. Throws ProblemException, BadCursorError. */
  async list(accountId: string | null, query: RefusalQuery): Promise<Table<RefusalView>> {
    const { after, limit, order, code = null, api_key_id: key = null } = query;
    const { from = null, to = null } = query;
    const [moment = null, position = null] = after === undefined ? [] : placeOf(after);
    const [direction, beyond] = order === 'asc' ? ['asc', '>'] : ['desc', '<'];
    const { rows } = await this.pool.query<Row>({
      name: `refusals-${direction}-${accountId === null ? 'all' : 'own'}`,
      text: `select account_id, last_at as at, first_at, times::int, nullif(path, '') as path,
                    api_key_id, code, required_credits::float8, position::text
               from refused_call
              where ${accountId === null ? '$1::uuid is null' : 'account_id = $1'}
                and ($2::text is null or code = $2) and ($3::uuid is null or api_key_id = $3)
                and ($4::float8 is null or last_at >= ${momentOfMs('$4')})
                and ($5::float8 is null or last_at < ${momentOfMs('$5')})
                and ($6::float8 is null
                     or (last_at, refused_call.position) ${beyond} (${momentOfMs('$6')}, $7::bigint))
              order by last_at ${direction}, refused_call.position ${direction} limit $8`,
      values: [accountId, code, key, from, to, moment, position, limit + 1],
    });
    if (rows.length === 0 && accountId !== null) {
      found(await this.reads.account(accountId), 'account');
    }
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const next = last && encodePlace(LIST, [String(last.at.getTime()), last.position]);
    return { items: rows.slice(0, limit).map(viewOf), next: next ?? null };
  }

  /** Those of all accounts, with the names of the accounts. Throws BadCursorError. */
  async ofAll(query: RefusalQuery): Promise<Table<RefusalView>> {
    const { items, next } = await this.list(null, query);
    return { items: await withAccountNames(this.pool, items), next };
  }
}

function viewOf({ position: _position, at, first_at: first, ...row }: Row): RefusalView {
  const { status } = PROBLEMS[row.code];
  return { ...row, at: at.toISOString(), first_at: first.toISOString(), status };
}

function placeOf(cursor: string): readonly string[] {
  const place = decodePlace(LIST, 2, cursor);
  if (place.every((part) => NUMBER.test(part))) return place;
  throw new BadCursorError(cursor);
}

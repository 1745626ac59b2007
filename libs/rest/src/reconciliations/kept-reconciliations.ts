import type pg from 'pg';
import type { LogDifference, ReconciliationSums } from './reconciliation.schemas.js';

/** Differences that are kept of one log, the first by their time. */
export const KEPT_DIFFERENCES_MAX = 50_000;
/** Differences in one row of the database. */
export const PART_ROWS = 1_000;
/** Logs of an account of which the results are kept, the newest. */
const KEPT_MAX = 10;
const KEPT_DAYS = 30;
const IS_KEPT = `created_at > now() - interval '${KEPT_DAYS} days'`;

/** Results of logs that were matched: of the newest ones of an account, for 30 days. */
export class KeptReconciliations {
  constructor(private readonly pool: pg.Pool) {}

  /** Keeps a result in place of those that are too many or too old. */
  async save(
    accountId: string,
    sums: ReconciliationSums,
    shown: (from: number, to: number) => readonly LogDifference[],
  ): Promise<void> {
    const { kept_differences: count } = sums;
    for (let from = 0; from < count; from += PART_ROWS) {
      const part = shown(from, Math.min(from + PART_ROWS, count));
      await this.insert(accountId, sums, 1 + from / PART_ROWS, part);
    }
    // Whoever finds the sums finds all differences.
    await this.insert(accountId, sums, 0, sums);
    await this.prune(accountId);
  }

  /** Oldest first. */
  async list(accountId: string): Promise<readonly ReconciliationSums[]> {
    const { rows } = await this.pool.query<{ body: ReconciliationSums }>({
      name: 'reconciliations',
      text: `select body from reconciliation
              where account_id = $1 and part = 0 and ${IS_KEPT} order by created_at, id`,
      values: [accountId],
    });
    return rows.map(({ body }) => body);
  }

  /** Undefined: the account has none with this id. */
  async sums(accountId: string, id: string): Promise<ReconciliationSums | undefined> {
    const { rows } = await this.pool.query<{ body: ReconciliationSums }>({
      name: 'reconciliation',
      text: `select body from reconciliation
              where id = $1 and part = 0 and account_id = $2 and ${IS_KEPT}`,
      values: [id, accountId],
    });
    return rows[0]?.body;
  }

  /** Differences by their place, from 0; without that of `end`. */
  async differences(id: string, from: number, end: number): Promise<readonly LogDifference[]> {
    const first = Math.floor(from / PART_ROWS);
    const { rows } = await this.pool.query<{ body: readonly LogDifference[] }>({
      name: 'reconciliation-differences',
      text: `select body from reconciliation
              where id = $1 and part > $2 and part <= $3 order by part`,
      values: [id, first, Math.ceil(end / PART_ROWS)],
    });
    const skipped = first * PART_ROWS;
    return rows.flatMap(({ body }) => body).slice(from - skipped, end - skipped);
  }

  private async insert(
    accountId: string,
    { id, created_at: createdAt }: ReconciliationSums,
    part: number,
    body: unknown,
  ): Promise<void> {
    await this.pool.query({
      name: 'reconciliation-insert',
      text: `insert into reconciliation (id, part, account_id, created_at, body)
             values ($1, $2, $3, $4, $5)`,
      values: [id, part, accountId, createdAt, JSON.stringify(body)],
    });
  }

  /** Of an account that was erased while its log was matched nothing is left. */
  private async prune(accountId: string): Promise<void> {
    // A cluster does not change a table of the coordinator's own by one that every server holds.
    const { rowCount: erased } = await this.pool.query({
      name: 'reconciliation-erased',
      text: 'select from text_key where account_id = $1 and secret is null',
      values: [accountId],
    });
    await this.pool.query({
      name: 'reconciliation-prune',
      text: `delete from reconciliation
              where not (${IS_KEPT})
                 or account_id = $1 and $3
                 or id in (select id from reconciliation where account_id = $1 and part = 0
                            order by created_at desc, id desc offset $2)`,
      values: [accountId, KEPT_MAX, erased !== 0],
    });
  }
}

/** Forgets the results of an account that is erased: they hold what it had logged. */
export async function forgetReconciliations(pool: pg.Pool, accountId: string): Promise<void> {
  await pool.query('delete from reconciliation where account_id = $1', [accountId]);
}

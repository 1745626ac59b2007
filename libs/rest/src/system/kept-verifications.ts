import type pg from 'pg';
import type { Verification } from './system.schemas.js';

const KEPT_MAX = 20;

/** One that has ended, under the id of its run. */
export interface KeptVerification {
  readonly id: string;
  readonly body: Verification;
}

/** Verifications that have ended, in any process: the newest 20. */
export class KeptVerifications {
  constructor(private readonly pool: pg.Pool) {}

  async save(id: string, verification: Verification): Promise<void> {
    await this.pool.query({
      name: 'verification-insert',
      text: 'insert into verification (id, body) values ($1, $2)',
      values: [id, JSON.stringify(verification)],
    });
    await this.pool.query({
      name: 'verification-prune',
      text: `delete from verification
              where id in (select id from verification order by kept_at desc, id desc offset $1)`,
      values: [KEPT_MAX],
    });
  }

  /** The one that has ended first, first. */
  async list(): Promise<readonly KeptVerification[]> {
    const { rows } = await this.pool.query<KeptVerification>({
      name: 'verifications',
      text: 'select id::text, body from verification order by kept_at, id',
    });
    return rows;
  }
}

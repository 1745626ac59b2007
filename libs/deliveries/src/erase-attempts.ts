import type pg from 'pg';

/**
 * Blanks what receivers and mail servers said about the deliveries of an account: it may name a
 * host or an address. Doing it again changes nothing.
 */
export async function eraseAttempts(pool: pg.Pool, accountId: string): Promise<void> {
  await pool.query(
    `update delivery_attempt set detail = null
      where detail is not null
        and delivery_id in (select id from delivery where account_id = $1)`,
    [accountId],
  );
}

import type pg from 'pg';

/**
 * Warns of accounts with an event that cannot be applied: they wait for somebody to repair them.
 * Everybody may read it, so it holds their number alone; which they are is for the log and for
 * operators.
 */
export async function damageWarnings(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'damage-count',
    text: 'select count(distinct account_id)::int as count from damaged_account',
  });
  const count = rows[0]?.count ?? 0;
  if (count === 0) return [];
  return [
    `${count} ${count === 1 ? 'account is' : 'accounts are'} damaged, to be repaired. ` +
      'The log names them, and so does `popindex verify`.',
  ];
}

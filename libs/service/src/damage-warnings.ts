import type pg from 'pg';
import { queryAnsweringAtOnce } from '#event-log/query-answering.js';

/**
 * Warns of accounts with an event that cannot be applied: they wait for somebody to repair them.
 * Everybody may read it, so it holds their number alone; which they are is for the log and for
 * operators. Those of lanes that are away are not counted, of which there is a warning too.
 */
export async function damageWarnings(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await queryAnsweringAtOnce<{ count: number }>(pool, {
    name: 'damage-count',
    text: `select count(distinct account_id)::int as count from damaged_account d`,
  });
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  if (count === 0) return [];
  return [
    `${count} ${count === 1 ? 'account is' : 'accounts are'} damaged, to be repaired. ` +
      'The log names them, and so does `popindex verify`.',
  ];
}

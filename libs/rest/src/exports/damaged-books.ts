import type pg from 'pg';
import { queryAllLanes } from '#event-log/query-by-lane.js';
import { problem, ProblemException } from '#web/problem.js';

const NAMED = 10;

/**
 * Throws a ProblemException: `conflict` while one of these projections stands still for an account,
 * because books without it would look whole. `test`: for a test account, too.
 */
export async function refuseDamaged(
  pool: pg.Pool,
  projections: readonly string[],
  test: boolean,
): Promise<void> {
  const rows = await queryAllLanes<{ id: string }>(pool, {
    name: 'exports-damaged',
    text: `select distinct d.account_id as id
             from damaged_account d
             left join ledger_account a
                    on a.lane = d.lane and a.account_id = d.account_id
            where d.projection = any ($1)
              and ($2 or a.state is null or not (a.state ->> 'test')::boolean)`,
    values: [projections, test],
  });
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id).toSorted();
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
  throw new ProblemException(
    problem(
      'conflict',
      `Accounts are damaged, and the books would lack them: ${ids.slice(0, NAMED).join(', ')}${more}. ` +
        'Repair them first: GET /projections names their events.',
    ),
  );
}

import type pg from 'pg';
import type { DecisionWatch } from './decision-watch.js';
import type { AskPart } from '#service/readiness-parts.js';
import { readNothing, tableAccess } from '#service/table-access.js';

const EVENT = 'lane, position, account_id, account_version, call_id, type, at, data';
const BATCH = 'lane, last_position, events, hash, committed_at';

/** An append of nothing, and the inserts that the function would leave out then. */
const APPEND = `
  perform append_lanes(0::int2, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}');
  insert into event (${EVENT}) select ${EVENT} from event where false;
  insert into batch (${BATCH}) select ${BATCH} from batch where false;`;

/** Read for accounts that are not in memory; those that are may be decided without. */
const READ = ['ledger_account', 'ledger_opened', 'damaged_account', 'checkpoint'];

/** An append leaves out rows that another one holds, and would do so for ever. */
const DECIDE = `
  ${APPEND}
  ${READ.map(readNothing).join('\n')}
  perform 1 from lane where lane > 0 limit 1 for update skip locked;
  if not found then
    raise exception 'all lanes are locked' using errcode = 'lock_not_available';
  end if;`;

/**
 * Part of readiness: whether the database lets a call be decided. Only where commands come and none
 * is decided is it asked for all that deciding an account takes, and rows of
 * the log are locked to find out whether somebody holds all of them.
 */
export function decisionPart(
  pool: pg.Pool,
  watch: Pick<DecisionWatch, 'isStuck' | 'move'>,
): AskPart {
  return async () => {
    const { isStuck } = watch;
    const state = await tableAccess(pool, isStuck ? DECIDE : APPEND);
    if (isStuck && state.ready) watch.move();
    return state;
  };
}

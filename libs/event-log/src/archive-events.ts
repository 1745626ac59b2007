import type pg from 'pg';
import { SYSTEM_LANE } from './event-log.js';

// Earlier versions could move the data of old calls into files. The types stay readable; they have
// no effect. Names are the stored format of lane 0.
export const CALLS_ARCHIVED = 'CallsArchived';
export const CALLS_BROUGHT_BACK = 'CallsBroughtBack';

/** Data of `CallsArchived`: the data of calls before a month (`2026-06`) went into files. */
export interface CallsArchived {
  /** 1, 2, 3, … */
  readonly archive: number;
  readonly before: string;
  readonly calls: number;
}

/** Data of `CallsBroughtBack`: all calls of an archive are in the log again. */
export type CallsBroughtBack = Pick<CallsArchived, 'archive'>;

/** How to get the data of archived calls back: the last commit with that command is named. */
const BRING_BACK = '`popindex archive --bring-back all` of commit cc8051cf';

/** A fault of an event whose data is in a file; undefined: it is no archived call. */
export function archivedFault(data: string): string | undefined {
  if (!data.startsWith('{"api_key":"archived in ')) return undefined;
  return `holds a call whose data is archived: restore it by that commit and run ${BRING_BACK}`;
}

/** One sentence where the data of calls is not in the log, with what to do; else undefined. */
export async function findArchivedCalls(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ archive: string }>({
    name: 'archives-not-brought-back',
    text: `select e.data ->> 'archive' as archive from event e
            where e.lane = ${SYSTEM_LANE} and e.type = '${CALLS_ARCHIVED}'
              and not exists (
                select from event back
                 where back.lane = ${SYSTEM_LANE} and back.type = '${CALLS_BROUGHT_BACK}'
                   and back.position > e.position
                   and back.data ->> 'archive' = e.data ->> 'archive')
            order by e.position limit 1`,
  });
  const [standing] = rows;
  if (standing === undefined) return undefined;
  return (
    `Calls of this log are archived (archive ${standing.archive}), which this version cannot read: ` +
    `run ${BRING_BACK}, then start again.`
  );
}

import type pg from 'pg';
import type { ArchivedData } from '#backup/archives/archived-data.js';
import { ArchivedCallsError, isArchivedIn } from '#event-log/archived-call.js';
import type { ArchiveFile } from '#event-log/archive-events.js';
import { laneOf } from '#event-log/event-log.js';
import { standingArchives } from '#event-log/standing-archives.js';
import type { Stretch } from '../usage/account-history.js';
import type { CallList } from '../usage/calls-query.js';

/** Calls that are about to be read. */
export interface WantedCalls {
  /** Null: of all accounts. */
  readonly accountId: string | null;
  /** Inclusive and exclusive bounds, ms since 1970; null: none. */
  readonly from: number | null;
  readonly to: number | null;
  /** The account's events among which they are; absent: all. */
  readonly among?: Stretch;
}

/**
 * Looks, before an answer begins, whether all calls that it reads are in the log or in files at
 * hand. `archives`: reads these files; undefined: nothing reads them. Throws ArchivedCallsError.
 */
export async function requireCalls(
  db: pg.Pool | pg.ClientBase,
  archives: ArchivedData | undefined,
  wanted: WantedCalls,
): Promise<void> {
  const lane = wanted.accountId === null ? null : laneOf(wanted.accountId);
  for (const { archive, files } of await standingArchives(db)) {
    for (const file of files) {
      if (lane !== null && file.lane !== lane) continue;
      if ((await archives?.isAtHand(file)) === true) continue;
      if (!(await holds(db, archive, file, wanted))) continue;
      throw new ArchivedCallsError(archive, archives === undefined ? undefined : file.file);
    }
  }
}

/** The same for the calls of a list: conditions on them are looked at in the log alone. */
export async function requireListed(client: pg.ClientBase, list: CallList | null): Promise<void> {
  if (list === null) return;
  const { accountId, among, match, archives } = list;
  const isOfAny = Object.values(match).every((condition) => condition === null);
  const read = isOfAny ? archives : undefined;
  await requireCalls(client, read, { accountId, from: null, to: null, among });
}

async function holds(
  db: pg.Pool | pg.ClientBase,
  archive: number,
  { lane, positions }: ArchiveFile,
  { accountId, from, to, among }: WantedCalls,
): Promise<boolean> {
  const values: unknown[] = [lane, ...positions];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const moment = (ms: number): string => `to_timestamp(${bind(ms)}::bigint / 1000.0)`;
  const conditions = [
    isArchivedIn(archive),
    ...(accountId === null ? [] : [`e.account_id = ${bind(accountId)}::uuid`]),
    ...(among === undefined
      ? []
      : [`e.account_version > ${bind(among.after)} and e.account_version <= ${bind(among.upTo)}`]),
    ...(from === null ? [] : [`e.at >= ${moment(from)}`]),
    ...(to === null ? [] : [`e.at < ${moment(to)}`]),
  ];
  const { rowCount } = await db.query(
    `select from event e
      where e.lane = $1 and e.position >= $2 and e.position <= $3 and e.type = 'CallMade'
        and ${conditions.join(' and ')} limit 1`,
    values,
  );
  return rowCount === 1;
}

import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { momentOfMs } from '#database/moment-of.js';
import { SYSTEM_ACCOUNT, SYSTEM_LANE } from '#event-log/event-log.js';
import {
  PERIOD_CLOSED,
  PERIOD_FILES,
  type PeriodClosed,
} from '#projections/events/period-events.js';
import { PART_MEDIA, readParts } from '#projections/invoices/kept-files.js';

/** Files that closed periods keep of months whose documents are beyond the legal term. */
export interface EndedFiles {
  /** The oldest and the newest of these months; none: parts that no close names. */
  readonly first: string;
  readonly last: string;
  /** SHA-256, hex, of rows of `document` that no other month needs. */
  readonly parts: readonly string[];
}

/**
 * The files of months before a date, `2027-01-01`, that still hold parties, of whichever close. A
 * close that fell has left parts that no event names: these end by the day on which they were made.
 */
export async function endedFiles(
  pool: pg.Pool,
  calendar: Calendar,
  issuedBefore: string,
): Promise<EndedFiles> {
  const { rows: closes } = await pool.query<{ data: string }>(
    `select data::text as data from event where lane = ${SYSTEM_LANE} and type = $1`,
    [PERIOD_CLOSED],
  );
  const periods = closes.flatMap(({ data }) => (JSON.parse(data) as PeriodClosed).periods);
  const hasEnded = ({ month }: { month: string }): boolean => `${month}-01` < issuedBefore;
  const ended = periods.filter(hasEnded);
  const named = await partsOf(pool, ended);
  const needed = await partsOf(
    pool,
    periods.filter((period) => !hasEnded(period)),
  );
  const { rows } = await pool.query<{ sha256: string }>({
    name: 'retention-files',
    text: `select encode(sha256, 'hex') as sha256 from document
            where account_id = $1 and media_type = $2 and redaction is null
              and (sha256 = any ($3::bytea[]) or created_at < ${momentOfMs('$4')})`,
    values: [
      SYSTEM_ACCOUNT,
      PART_MEDIA,
      [...named].map((sha256) => Buffer.from(sha256, 'hex')),
      calendar.startOfDate(issuedBefore),
    ],
  });
  const parts = rows.map(({ sha256 }) => sha256).filter((sha256) => !needed.has(sha256));
  const months = ended.map(({ month }) => month).toSorted();
  return { first: months[0] ?? '', last: months.at(-1) ?? '', parts };
}

async function partsOf(
  pool: pg.Pool,
  periods: readonly PeriodClosed['periods'][number][],
): Promise<ReadonlySet<string>> {
  const parts = new Set<string>();
  for (const { files } of periods) {
    for (const list of PERIOD_FILES.flatMap((format) => files[format].parts ?? [])) {
      for (const part of await readParts(pool, list)) parts.add(part);
    }
  }
  return parts;
}

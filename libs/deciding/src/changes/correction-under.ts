import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';

/** The event that gave a call back, by its id. */
export interface RecordedCorrection {
  readonly id: string;
  readonly type: 'Adjusted' | 'CreditNoteSealed';
  /** Ms since 1970. */
  readonly at: number;
}

/** Finds the correction that a command has made of an account. */
export type FindCorrection = (
  accountId: string,
  commandId: string,
) => Promise<RecordedCorrection | undefined>;

/**
 * The event that gave a call back under an operator's command: it is named by its call, so that the
 * log does not find it by the command's id. Undefined: the command gave nothing back.
 */
export async function correctionUnder(
  pool: pg.Pool,
  accountId: string,
  commandId: string,
): Promise<RecordedCorrection | undefined> {
  // An index holds all events of an account but its calls.
  const { rows } = await pool.query<RecordedCorrection>({
    name: 'correction-under',
    text: `select call_id as id, type, (extract(epoch from at) * 1000)::float8 as at from event
            where lane = $1 and account_id = $2 and call_id <> $3::text::uuid
              and (type = 'Adjusted' and data ->> 'grant_id' = $3::text
                   or type = 'CreditNoteSealed' and data ->> 'credit_note_id' = $3::text)
            limit 1`,
    values: [laneOf(accountId), accountId, commandId],
  });
  return rows[0];
}

import type pg from 'pg';
import { isUuid } from '#web/uuid.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { numberIdOf } from '../events/document-ids.js';
import { INVOICES, invoicesProjection } from '../projections/invoices.projection.js';
import { CREDIT_NOTE_NUMBERED, INVOICE_NUMBERED } from '../events/number-events.js';
import type { CreditNoteNumbered, InvoiceNumbered } from '../events/number-events.js';

/** A number that was given, with its place in the system's lane: numbers are in that order. */
export type IssuedNumber = { readonly position: number } & (
  | { readonly type: typeof INVOICE_NUMBERED; readonly data: InvoiceNumbered }
  | { readonly type: typeof CREDIT_NOTE_NUMBERED; readonly data: CreditNoteNumbered }
);

function issuedNumber(row: EventRow): IssuedNumber {
  const { position, type, data } = toStoredEvent(row);
  return { position, type, data: JSON.parse(data) as never } as IssuedNumber;
}

/** The document of a number or an id, as of now: by the projection's row, or by newer events. */
export async function findNumber(
  db: pg.Pool | pg.ClientBase,
  number: string,
): Promise<IssuedNumber | undefined> {
  if (isUuid(number)) return (await findNumbersOf(db, [number]))[0];
  const { rows } = await db.query<EventRow>({
    name: 'issued-number',
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = ${SYSTEM_LANE}
              and e.position = (select position from invoice_number where number = $1)
           union all
           select ${EVENT_COLUMNS} from event e
            where e.lane = ${SYSTEM_LANE} and e.type = any ($2) and e.data ->> 'number' = $1
              and e.position > coalesce((
                    select position from checkpoint
                     where projection = '${INVOICES}' and lane = ${SYSTEM_LANE}
                       and version = ${invoicesProjection.version}), 0)
            limit 1`,
    values: [number, [INVOICE_NUMBERED, CREDIT_NOTE_NUMBERED]],
  });
  return rows.map(issuedNumber)[0];
}

/** Numbers of documents by their ids, in the order of numbers; those without one are absent. */
export async function findNumbersOf(
  db: pg.Pool | pg.ClientBase,
  documentIds: readonly string[],
): Promise<readonly IssuedNumber[]> {
  if (documentIds.length === 0) return [];
  const { rows } = await db.query<EventRow>({
    name: 'issued-numbers-of',
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = ${SYSTEM_LANE} and e.call_id = any ($1::uuid[])
            order by e.position`,
    values: [documentIds.map(numberIdOf)],
  });
  return rows.map(issuedNumber);
}

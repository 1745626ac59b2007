import type pg from 'pg';
import { ACCOUNT_LANES } from '#event-log/event-log.js';
import { BadCursorError } from '#web/read-errors.js';
import { decodeCursor, encodeCursor } from '#web/cursor.js';

/** A position in each lane, by the number of the lane: a place in the whole log. */
export type LanePlaces = readonly number[];

const BASE = 36;
const NUMBER = /^[0-9a-z]{1,11}$/;

/** A cursor that names a place in the whole log, in a list of that name. */
export function encodePlaces(list: string, places: LanePlaces): string {
  return encodeCursor(`${list} ${places.map((at) => at.toString(BASE)).join('.')}`);
}

/** Reads a cursor of `encodePlaces` for the same list. Throws BadCursorError. */
export function decodePlaces(list: string, cursor: string): LanePlaces {
  const [name, text = ''] = decodeCursor(cursor).split(' ', 2);
  const parts = text.split('.');
  if (
    name !== list ||
    parts.length !== ACCOUNT_LANES + 1 ||
    !parts.every((part) => NUMBER.test(part))
  ) {
    throw new BadCursorError(cursor);
  }
  return parts.map((part) => Number.parseInt(part, BASE));
}

/** The last position of each lane. */
export async function lastPlaces(db: pg.Pool | pg.ClientBase): Promise<LanePlaces> {
  const { rows } = await db.query<{ position: number }>({
    name: 'lane-places',
    text: 'select position from lane order by lane',
  });
  return rows.map(({ position }) => position);
}

import { BadCursorError } from './read-errors.js';

const NUMBER = /^[1-9]\d{0,15}$/;

/** A cursor as it is handed out: opaque, and good for ever because it names a place, not a page. */
export function encodeCursor(place: string | number): string {
  return Buffer.from(String(place), 'utf8').toString('base64url');
}

/** Whether a text has the form of a cursor, of whichever list. */
export function isCursor(text: string): boolean {
  const place = textOf(text);
  // PostgreSQL takes no text that holds a zero character.
  return place !== '' && !place.includes('\0') && encodeCursor(place) === text;
}

/** Reads a cursor that names a text. Throws BadCursorError. */
export function decodeCursor(cursor: string): string {
  if (!isCursor(cursor)) throw new BadCursorError(cursor);
  return textOf(cursor);
}

function textOf(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

/** Reads a cursor that names a number of 1 or more. Throws BadCursorError. */
export function decodeNumberCursor(cursor: string): number {
  return numberOf(decodeCursor(cursor), cursor);
}

function numberOf(text: string, cursor: string): number {
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isSafeInteger(value)) throw new BadCursorError(cursor);
  return value;
}

/** A cursor that names a place by several texts, in a list of that name. */
export function encodePlace(list: string, place: readonly string[]): string {
  return encodeCursor(JSON.stringify([list, ...place]));
}

/** Reads a cursor of `encodePlace` for the same list. Throws BadCursorError. */
export function decodePlace(list: string, parts: number, cursor: string): readonly string[] {
  const [name, ...place] = textsOf(decodeCursor(cursor));
  if (name !== list || place.length !== parts) throw new BadCursorError(cursor);
  if (place.some((part) => part.includes('\0'))) throw new BadCursorError(cursor);
  return place;
}

/** Reads a cursor of `encodePlace` for a list whose places are numbers of 1 or more. */
export function decodeNumberPlace(list: string, cursor: string): number {
  const [text = ''] = decodePlace(list, 1, cursor);
  return numberOf(text, cursor);
}

function textsOf(json: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : [];
  } catch {
    return [];
  }
}

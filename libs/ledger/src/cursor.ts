import { BadCursorError } from './account-reads.js';

/** A cursor as it is handed out: opaque, and good for ever because it names a place, not a page. */
export function encodeCursor(place: string | number): string {
  return Buffer.from(String(place), 'utf8').toString('base64url');
}

/** Reads a cursor that names a text. Throws BadCursorError. */
export function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (text === '' || encodeCursor(text) !== cursor) throw new BadCursorError('unknown cursor');
  return text;
}

/** Reads a cursor that names a number of 1 or more. Throws BadCursorError. */
export function decodeNumberCursor(cursor: string): number {
  const value = Number(decodeCursor(cursor));
  if (!Number.isSafeInteger(value) || value < 1) throw new BadCursorError('unknown cursor');
  return value;
}

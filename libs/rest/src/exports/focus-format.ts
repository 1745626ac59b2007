import { quotedCell, safeText } from '#billing/csv-text.js';
import {
  FOCUS_COLUMNS,
  FOCUS_NUMBERS,
  FOCUS_VALUES,
  type FocusRow,
} from '#billing/focus-columns.js';

/** The media types of FOCUS, as they are sent and with the end of a file's name. */
export const FOCUS_TYPES = {
  'text/csv': { type: 'text/csv; charset=utf-8', extension: 'csv' },
  'application/jsonl': { type: 'application/jsonl; charset=utf-8', extension: 'jsonl' },
} as const;
export type FocusType = keyof typeof FOCUS_TYPES;
export const FOCUS_MEDIA = Object.keys(FOCUS_TYPES) as readonly FocusType[];

/** Rows as they are sent; what is null is an empty cell, or `null`. */
export async function* focusPieces(
  batches: AsyncIterable<readonly FocusRow[]>,
  type: FocusType,
): AsyncGenerator<string> {
  const line = type === 'text/csv' ? csvLine : jsonLine;
  if (type === 'text/csv') yield `${FOCUS_COLUMNS.join(',')}\r\n`;
  for await (const rows of batches) if (rows.length > 0) yield rows.map(line).join('');
}

function csvLine(row: FocusRow): string {
  const cells = FOCUS_COLUMNS.map((column) => {
    const cell = row[column] ?? '';
    return FOCUS_NUMBERS.has(column) ? cell : quotedCell(safeText(cell));
  });
  return `${cells.join(',')}\r\n`;
}

/** Decimals as they are: a number of the language would round them. */
function jsonLine(row: FocusRow): string {
  const members = FOCUS_COLUMNS.map((column) => {
    const cell = row[column];
    const isValue = cell !== undefined && FOCUS_VALUES.has(column);
    return `"${column}":${isValue ? cell : JSON.stringify(cell ?? null)}`;
  });
  return `{${members.join(',')}}\n`;
}

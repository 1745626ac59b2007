import { text, type Markup } from '../xml/xml-markup.js';

/** UNTDID 2379: the year, the month and the day, without hyphens. */
const CALENDAR_DAY = '102';

/** A date `2026-11-01`, qualified (`qdt`) or not, as the schema has it at that place. */
export function ciiDate(type: 'udt' | 'qdt', date: string): Markup {
  return text(`${type}:DateTimeString`, date.replaceAll('-', ''), { format: CALENDAR_DAY });
}

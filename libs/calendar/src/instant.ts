import { parseDate } from './civil-date.js';

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;
const DAY_MS = 86_400_000;
const EARLIEST = Date.UTC(1990, 0, 1);
const LATEST = Date.UTC(2201, 0, 1) - 1;

/** A boundary in UTC, `2026-11-24T00:00:00Z`. Decimals appear only if it has milliseconds. */
export function formatInstant(instant: number): string {
  const text = new Date(instant).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

/** The moment of a call in UTC, always with three decimals: `2026-11-23T23:59:59.999Z`. */
export function formatMoment(instant: number): string {
  return new Date(instant).toISOString();
}

/**
 * The instant (ms since 1970) that an RFC 3339 text names, of the years 1990 to 2200 in UTC, or
 * undefined for any other text. An offset or `Z` is required; digits past the third decimal are cut
 * off; 24:00 and leap seconds are refused, because no instant here could distinguish them.
 */
export function parseInstant(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [, date = '', hour, minute, second, decimals = '', sign, offsetHour, offsetMinute] = match;
  const day = parseDate(date);
  if (day === undefined) return undefined;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const milliseconds = Number(decimals.slice(0, 3).padEnd(3, '0'));
  const offset = sign === undefined ? 0 : Number(offsetHour) * 60 + Number(offsetMinute);
  const eastward = sign === '-' ? -offset : offset;
  const instant = day * DAY_MS + seconds * 1000 + milliseconds - eastward * 60_000;
  return instant >= EARLIEST && instant <= LATEST ? instant : undefined;
}

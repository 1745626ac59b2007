const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs a hundred times what using it does. */
function formatOf(name: string, options: Intl.DateTimeFormatOptions, zone: string) {
  const key = `${name} ${zone}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
    formats.set(key, format);
  }
  return format;
}

const TO_MINUTE = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;

/** `21 Nov 2026, 15:20`, in a zone. */
export function formatMoment(at: string, zone: string): string {
  return formatOf('minute', TO_MINUTE, zone).format(new Date(at));
}

/** With seconds: `21 Nov 2026, 15:20:07`. */
export function formatExact(at: string, zone: string): string {
  return formatOf('second', { ...TO_MINUTE, second: '2-digit' }, zone).format(new Date(at));
}

/** `21 Nov 2026` */
export function formatDate(at: string, zone: string): string {
  const { day, month, year } = TO_MINUTE;
  return formatOf('date', { day, month, year }, zone).format(new Date(at));
}

/** The hover text of a moment: the time in a zone, and as it stands in the data. */
export function momentHint(at: string, zone: string): string {
  return `${formatExact(at, zone)} ${zone} · ${at}`;
}

/** A stretch of time in two units: `2 d 8 h`, `3 h 5 min`, `4 min 9 s`. */
export function formatStretch(ms: number): string {
  const left = Math.max(0, ms);
  const days = Math.floor(left / DAY_MS);
  const hours = Math.floor((left % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((left % MINUTE_MS) / SECOND_MS);
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  if (minutes > 0) return `${minutes} min ${seconds} s`;
  return `${seconds} s`;
}

/** A distance for sentences: `in 3 days`, `5 minutes ago`, `now`. */
export function formatDistance(at: string, now: number): string {
  const ms = new Date(at).getTime() - now;
  const size = Math.abs(ms);
  if (size < MINUTE_MS) return ms > 0 ? 'in a moment' : 'just now';
  const [unit, unitMs] =
    size >= 2 * DAY_MS
      ? (['day', DAY_MS] as const)
      : size >= 2 * HOUR_MS
        ? (['hour', HOUR_MS] as const)
        : (['minute', MINUTE_MS] as const);
  const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' });
  return relative.format(Math.trunc(ms / unitMs), unit);
}

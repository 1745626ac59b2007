import { parseInstant } from '#calendar/instant.js';
import { latestPath, resourceKey } from '#rating/resource-key.js';
import { parseResourcePath } from '#rating/resource-path.js';
import type { RowTexts } from './log-columns.js';
import { ownText, type LogRow, type LogRows } from './log-rows.js';

/** A row; `ignored`: it is about no call that is charged. */
export type RowOutcome =
  | { readonly outcome: 'row'; readonly row: LogRow }
  | { readonly outcome: 'ignored' }
  | { readonly outcome: 'fault'; readonly detail: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SECONDS = /^\d{10}(?:\.\d{1,9})?$/;
const MILLISECONDS = /^\d{13}$/;
/** A minute in UTC, up to its seconds, and those: nearly all logs write moments so. */
const MINUTE_LENGTH = '2026-11-24T09:00:'.length;
const SECONDS_UTC = /^[0-5]\d(?:\.\d{3})?Z$/;
const CREDITS = /^\d{1,15}$/;
const STATUS = /^\d{3}$/;
/** Only these answers are charged. */
const CHARGED = new Set(['', '200', '304']);
const IGNORED: RowOutcome = { outcome: 'ignored' };
const SECOND_MS = 1_000;
const KNOWN_MAX = 100_000;

/** Reads rows of a log; what is wrong with one is said in a sentence. */
export class RowReader {
  /** Places of paths by URL: a log names few, again and again. Null: it is not charged. */
  private readonly paths = new Map<string, number | null>();
  /** The minute that was read last: a row is mostly of the same one as that before it. */
  private minute = '';
  private minuteAt: number | undefined;

  constructor(private readonly rows: Pick<LogRows, 'placeOf'>) {}

  read(line: number, texts: RowTexts): RowOutcome {
    const { callId, requestId, credits, status } = texts;
    if (status !== '' && !STATUS.test(status)) return fault(`The status "${status}" is none.`);
    if (!CHARGED.has(status)) return IGNORED;
    const at = this.momentOf(texts.time);
    if (at === undefined) {
      return fault(`The time "${texts.time}" is neither RFC 3339 nor seconds or ms since 1970.`);
    }
    const path = this.pathOf(texts.url);
    if (path === null) return IGNORED;
    if (callId !== '' && !UUID.test(callId)) return fault(`The Call-Id "${callId}" is no UUID.`);
    if (credits !== '' && !CREDITS.test(credits)) {
      return fault(`The credits "${credits}" are no whole number.`);
    }
    const row = {
      line,
      at,
      path,
      callId: callId === '' ? null : callId,
      requestId: UUID.test(requestId) ? requestId : null,
      credits: credits === '' ? null : Number(credits),
    };
    return { outcome: 'row', row };
  }

  private momentOf(text: string): number | undefined {
    const seconds = text.slice(MINUTE_LENGTH);
    if (SECONDS_UTC.test(seconds)) {
      const minute = text.slice(0, MINUTE_LENGTH);
      if (minute !== this.minute) {
        this.minute = minute;
        this.minuteAt = parseInstant(`${minute}00Z`);
      }
      if (this.minuteAt === undefined) return undefined;
      return this.minuteAt + Math.round(Number(seconds.slice(0, -1)) * SECOND_MS);
    }
    if (MILLISECONDS.test(text)) return Number(text);
    if (SECONDS.test(text)) return Math.round(Number(text) * SECOND_MS);
    return parseInstant(text);
  }

  private pathOf(url: string): number | null {
    const known = this.paths.get(url);
    if (known !== undefined) return known;
    const path = chargedPath(url);
    const place = path === null ? null : this.rows.placeOf(path);
    if (this.paths.size < KNOWN_MAX) this.paths.set(ownText(url), place);
    return place;
  }
}

function chargedPath(url: string): string | null {
  const begin = url.indexOf('/v1/');
  if (begin < 0) return null;
  const [path = ''] = url.slice(begin).split(/[?#]/, 1);
  const parsed = parseResourcePath(path);
  if (parsed.outcome !== 'resource') return null;
  const { resource, window } = parsed;
  return window === 'latest' ? latestPath(resource) : resourceKey(resource, window);
}

function fault(detail: string): RowOutcome {
  return { outcome: 'fault', detail };
}

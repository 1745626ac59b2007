import type { ChargedCall } from '#account/charging.js';
import { windowOfCall } from '#account/evolve-call.js';
import { formatInstant } from '#calendar/instant.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Window } from '#calendar/window.js';
import { unchangedSinceIn } from '#popularity/releases.js';
import { windowOfKey } from '#rating/key-parts.js';
import type { Coding } from '#web/negotiation.js';
import type { RateState } from '#web/rates/rate-limits.js';
import type { Caller } from '../callers/doorkeeper.js';
import type { Quoted, Replayed, Sold } from './meter.js';

/** Names and values in turn, as `writeHead` takes them. */
export type HeaderList = (string | number)[];

const PAST = 'private, max-age=31536000, immutable';
const NO_STORE = 'no-store';

/** The rollover that was written last: nearly every call is of the same window. */
const rollover = { at: Number.NaN, text: '' };

function rolloverText(at: number): string {
  if (rollover.at !== at) Object.assign(rollover, { at, text: formatInstant(at) });
  return rollover.text;
}

/** The label of the running window and the moment of the rollover. */
export function windowHeaders(running: Window): HeaderList {
  return ['Credits-Window', running.label, 'Credits-Window-Ends', rolloverText(running.endsAt)];
}

export function rateHeaders(rate: RateState): HeaderList {
  return ['RateLimit-Policy', rate.policy, 'RateLimit', rate.limit];
}

/** Every header of a metered 200 or 304 but those of its bytes. */
export function soldHeaders(
  requestId: string,
  caller: Caller,
  sold: Sold,
  calendar: Calendar,
): HeaderList {
  const { callId, call, balance } = sold.charged;
  const { answer } = sold;
  const running = windowAtCharge(sold.charged, calendar);
  const headers: HeaderList = [
    'Request-Id',
    requestId,
    'Call-Id',
    callId,
    'Credits-Used',
    call.cost[0] + call.cost[1],
    'Credits-Kind',
    call.kind,
    ...windowHeaders(running),
    'Data-Release',
    answer.release.label,
    'Data-Through',
    answer.release.through,
    'Data-Unchanged-Since',
    unchangedSinceIn(windowOfKey(answer.key), answer),
    'ETag',
    answer.etag,
    'Cache-Control',
    cacheControl(caller, sold, running),
    'Vary',
    'Authorization, Accept-Encoding',
    'X-Content-Type-Options',
    'nosniff',
    ...rateHeaders(caller.rate),
  ];
  if (balance !== null) headers.push('Credits-Balance', balance);
  if (sold.replayed) headers.push('Idempotent-Replayed', 'true');
  return headers;
}

function cacheControl(caller: Caller, sold: Sold, running: Window): string {
  // A test account's week turns by command, and a replay says what was, not what is.
  if (caller.record.testClock !== null || sold.replayed) return NO_STORE;
  if (sold.past) return PAST;
  const seconds = Math.max(0, Math.floor((running.endsAt - sold.charged.at) / 1000));
  return `private, max-age=${seconds}`;
}

/** A compact JWS, and whether a preference for it was honoured (RFC 7240). */
export function receiptHeaders(receipt: string, isPreferred: boolean): HeaderList {
  const headers = ['Receipt', receipt];
  if (isPreferred) headers.push('Preference-Applied', 'receipt');
  return headers;
}

/** The headers of the bytes themselves. */
export function bodyHeaders(length: number, coding: Coding): HeaderList {
  const headers: HeaderList = ['Content-Type', 'application/json; charset=utf-8'];
  headers.push('Content-Length', length);
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  return headers;
}

/** Headers of a HEAD for a call that was not made. */
export function quoteHeaders({ quote, located }: Quoted): HeaderList {
  return [
    'Credits-Estimate',
    quote.cost[0] + quote.cost[1],
    'Credits-Kind',
    quote.kind,
    ...windowHeaders(located.running),
  ];
}

/** Headers of a HEAD whose idempotency key names a call already: it is not charged again. */
export function replayedHeaders({ charged }: Replayed, calendar: Calendar): HeaderList {
  const { callId, call } = charged;
  return [
    'Call-Id',
    callId,
    'Credits-Estimate',
    0,
    'Credits-Kind',
    call.kind,
    ...windowHeaders(windowAtCharge(charged, calendar)),
    'Idempotent-Replayed',
    'true',
  ];
}

function windowAtCharge({ at, call }: ChargedCall, calendar: Calendar): Window {
  return calendar.windowOf(windowOfCall(call)) ?? calendar.windowAt(at);
}

/** The headers that no quote may go without. */
export function quoteCommonHeaders(requestId: string, caller: Caller): HeaderList {
  return [
    'Request-Id',
    requestId,
    'Cache-Control',
    NO_STORE,
    'Vary',
    'Authorization, Accept-Encoding',
    'X-Content-Type-Options',
    'nosniff',
    ...rateHeaders(caller.rate),
  ];
}

import { windowOfCall } from '#account/calls.js';
import type { ChargedCall } from '#account/charging.js';
import { formatInstant } from '#calendar/instant.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Window } from '#calendar/window.js';
import type { Coding } from '#web/negotiation.js';
import type { RateState } from '#web/rates/rate-limits.js';
import type { Caller } from '../callers/authenticator.js';
import type { QuotedAnswer, ReplayedCall, SoldCall } from './meter.js';

/** The same for all answers: nobody but their account may keep them, by its key. */
const COMMON = 'Vary: Authorization, Accept-Encoding\r\nX-Content-Type-Options: nosniff\r\n';
const JSON_TYPE = 'Content-Type: application/json; charset=utf-8\r\n';
const PAST = 'private, max-age=31536000, immutable';
const NO_STORE = 'no-store';

/** The window that was written last: nearly every call is of the same one. */
const written: { window: Window | undefined; lines: string } = { window: undefined, lines: '' };

/** The label of the running window and the moment of the rollover. */
function windowLines(window: Window): string {
  if (written.window === window) return written.lines;
  const { label, endsAt } = window;
  const ends = formatInstant(endsAt);
  const lines = `Credits-Window: ${label}\r\nCredits-Window-Ends: ${ends}\r\n`;
  return Object.assign(written, { window, lines }).lines;
}

export function rateLines({ policy, limit }: RateState): string {
  return `RateLimit-Policy: ${policy}\r\nRateLimit: ${limit}\r\n`;
}

/** Every header of a metered 200 or 304 but those of its bytes. */
export function soldLines(
  requestId: string,
  caller: Caller,
  sold: SoldCall,
  calendar: Calendar,
): string {
  const { callId, call, balance } = sold.charged;
  const { answer } = sold;
  const running = windowAtCharge(sold.charged, calendar);
  let lines =
    `Request-Id: ${requestId}\r\nCall-Id: ${callId}\r\n` +
    `Credits-Used: ${call.cost[0] + call.cost[1]}\r\nCredits-Kind: ${call.kind}\r\n` +
    windowLines(running) +
    answer.lines +
    `Cache-Control: ${cacheControl(caller, sold, running)}\r\n` +
    COMMON +
    rateLines(caller.rate);
  if (balance !== null) lines += `Credits-Balance: ${balance}\r\n`;
  if (sold.replayed) lines += 'Idempotent-Replayed: true\r\n';
  return lines;
}

function cacheControl(caller: Caller, sold: SoldCall, running: Window): string {
  // A test account's week turns by command, and a replay says what was, not what is.
  if (caller.record.testClock !== null || sold.replayed) return NO_STORE;
  if (sold.past) return PAST;
  const seconds = Math.max(0, Math.floor((running.endsAt - sold.charged.at) / 1000));
  return `private, max-age=${seconds}`;
}

/** A compact JWS, and whether a preference for it was honoured (RFC 7240). */
export function receiptLines(receipt: string, isPreferred: boolean): string {
  return `Receipt: ${receipt}\r\n${isPreferred ? 'Preference-Applied: receipt\r\n' : ''}`;
}

/** The headers of the bytes themselves. */
export function bodyLines(length: number, coding: Coding): string {
  const lines = `${JSON_TYPE}Content-Length: ${length}\r\n`;
  return coding === 'identity' ? lines : `${lines}Content-Encoding: ${coding}\r\n`;
}

/** Headers of a HEAD for a call that was not made. */
export function quoteLines({ quote, located }: QuotedAnswer): string {
  const { cost, kind } = quote;
  return `${estimateLines(cost[0] + cost[1], kind)}${windowLines(located.running)}`;
}

/** Headers of a HEAD whose idempotency key names a call already: it is not charged again. */
export function replayedLines({ charged }: ReplayedCall, calendar: Calendar): string {
  const { callId, call } = charged;
  return (
    `Call-Id: ${callId}\r\n${estimateLines(0, call.kind)}` +
    `${windowLines(windowAtCharge(charged, calendar))}Idempotent-Replayed: true\r\n`
  );
}

function estimateLines(credits: number, kind: string): string {
  return `Credits-Estimate: ${credits}\r\nCredits-Kind: ${kind}\r\n`;
}

function windowAtCharge({ at, call }: ChargedCall, calendar: Calendar): Window {
  const label = windowOfCall(call);
  const running = calendar.windowAt(at);
  // Nearly always: a label costs more to read than a moment.
  return running.label === label ? running : (calendar.windowOf(label) ?? running);
}

/** The headers that no quote may go without. `withBody`: as GET would have one. */
export function quoteCommonLines(requestId: string, caller: Caller, withBody: boolean): string {
  return (
    `Request-Id: ${requestId}\r\nCache-Control: ${NO_STORE}\r\n${COMMON}` +
    `${rateLines(caller.rate)}${withBody ? JSON_TYPE : ''}`
  );
}

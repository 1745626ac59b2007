import { HEAD_DIGITS } from './hash-chain.js';
import { laneOf, type NewEvent } from './event-log.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|.)/gs;
const HALF_ESCAPED = 'data holds half of an escaped surrogate pair';
/** First moment that a timestamp of the store can hold and a Date can read: years 0001 to 9999. */
const AT_MIN = Date.parse('0001-01-01T00:00:00Z');
const AT_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Why no store may take this event into this lane, or undefined. These are the faults that a store
 * would let through although it could not give the event back as it was, or not read into it; that
 * `data` is JSON at all is left to the store.
 */
export function eventFault(lane: number, event: NewEvent): string | undefined {
  const { accountId, accountVersion, callId, type, at, data, hash } = event;
  // Hashed as given, but read back in lower case: another spelling would break the chain.
  if (!UUID.test(accountId)) return `account id "${accountId}" is not a UUID in lower case`;
  if (callId !== null && !UUID.test(callId))
    return `call id "${callId}" is not a UUID in lower case`;
  if (!Number.isSafeInteger(accountVersion) || accountVersion < 1) {
    return `account version ${accountVersion} is not a positive integer`;
  }
  if (!Number.isSafeInteger(at) || at < AT_MIN || at > AT_MAX) {
    return `${at} is not a moment in whole milliseconds`;
  }
  if (laneOf(accountId) !== lane) return `account ${accountId} does not belong to lane ${lane}`;
  if (hash.length !== HEAD_DIGITS)
    return `the hash has ${hash.length} hex digits instead of ${HEAD_DIGITS}`;
  if (type === '') return 'the type is empty';
  return textFault('type', type) ?? textFault('data', data) ?? escapeFault(data);
}

function textFault(name: string, text: string): string | undefined {
  if (text.includes('\0')) return `${name} holds a NUL character`;
  if (!text.isWellFormed()) return `${name} holds half of a surrogate pair`;
  return undefined;
}

/** The store keeps these escapes as they are, but fails whenever it reads the member with them. */
function escapeFault(data: string): string | undefined {
  if (!data.includes('\\u')) return undefined;
  let highEndsAt = -1;
  for (const match of data.matchAll(ESCAPE)) {
    const unit = match[1] === undefined ? -1 : Number.parseInt(match[1], 16);
    if (unit === 0) return 'data holds an escaped NUL character';
    const completes = isLow(unit) && match.index === highEndsAt;
    if (highEndsAt >= 0 || isLow(unit)) {
      if (!completes) return HALF_ESCAPED;
    }
    highEndsAt = isHigh(unit) ? match.index + match[0].length : -1;
  }
  return highEndsAt >= 0 ? HALF_ESCAPED : undefined;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

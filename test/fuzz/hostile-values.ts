import type { Prng } from '../simulator/prng.js';
import { bytesOf } from './fuzz-request.js';

/** Texts that programs have stumbled over; each is a value where another one was meant. */
const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'undefined',
  'true',
  'NaN',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '..',
  '.',
  '../../etc/passwd',
  'latest',
  'LATEST',
  '2026w54',
  '0000w00',
  '9999w53',
  '2026w1',
  "' or 1=1 --",
  '"; drop table event; --',
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  '%00',
  '%0d%0aSet-Cookie:x=1',
  '%2e%2e%2f',
  '%c0%ae',
  '%ff%fe',
  '%',
  '%zz',
  '%u0041',
  '\u0000',
  '\u0001',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u202e\u0661',
  'é',
  'e\u0301',
  'ﬀ',
  'İ',
  'ß',
  '𝒳',
  '👩‍👩‍👧',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '{00000000-0000-0000-0000-000000000000}',
  '1e5',
  '0x10',
  '+1',
  '1,000',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '18446744073709551616',
  '99999999999999999999999999',
  '1970-01-01T00:00:00Z',
  '2026-02-30',
  '2026-11-24T24:00:00Z',
  '2026-06-30T23:59:60Z',
  '+275760-09-13T00:00:00Z',
  '2026-11-24T00:00:00+99:99',
  '0001-01-01',
] as const;

/** JSON texts, not values: several of these no value could be written as. */
const JSON_TEXTS = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e2',
  '1E400',
  '-1e400',
  '1e-400',
  '0.1e1',
  '01',
  '+1',
  '.5',
  '1.',
  'NaN',
  'Infinity',
  '0x1f',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740991',
  '-9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '123456789012345678901234567890',
  '2147483648',
  '""',
  '" "',
  "'x'",
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ud83d\\ude00"',
  '"\\x41"',
  '"\t"',
  '"\u007f"',
  '"\\u202e"',
  '"__proto__"',
  '{}',
  '[]',
  '[[]]',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}',
  '{"toJSON":1}',
  '{"then":1}',
  '[null]',
  'undefined',
  '/* */1',
  '',
] as const;

export function hostileText(prng: Prng): string {
  if (prng.chance(0.1)) return longText(prng);
  return prng.pick(TEXTS);
}

/** A text as its UTF-8 bytes, for places outside of JSON. */
export function hostileBytes(prng: Prng): string {
  return bytesOf(hostileText(prng));
}

export function hostileJson(prng: Prng): string {
  if (prng.chance(0.05)) return JSON.stringify(longText(prng));
  if (prng.chance(0.05)) return nest(prng, prng.pick([10, 63, 64, 65, 200, 20_000]));
  if (prng.chance(0.03)) return `[${Array.from({ length: 5_000 }, () => '0').join(',')}]`;
  if (prng.chance(0.15)) return JSON.stringify(hostileText(prng));
  return prng.pick(JSON_TEXTS);
}

function nest(prng: Prng, depth: number): string {
  return prng.chance(0.5)
    ? '['.repeat(depth) + ']'.repeat(depth)
    : '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
}

function longText(prng: Prng): string {
  const unit = prng.pick(['x', 'a/', '%41', 'é', '0', '-']);
  return unit.repeat(prng.pick([64, 65, 200, 201, 255, 256, 257, 1_000, 1_001, 8_200]));
}

import fc from 'fast-check';
import type { Complete } from '#account/call-rows.js';
import type { CallMade } from '#account/calls.js';
import type { ChargedCall, ChargeRequest } from '#account/charging.js';
import type { Units } from '#account/terms.js';
import { requestOf, RESOURCE } from '../test-adapters/scene.js';
import { answerText, chargedOf, chargeText, readApiMessage } from './call-rows.js';
import { isAccountingMessage, type Answer } from './messages.js';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const count = fc.maxSafeNat();
const integer = fc.maxSafeInteger();
const id = fc.uuid();
const tags = fc.dictionary(text, text, { maxKeys: 5 });
const units = fc.dictionary(text, count, { maxKeys: 3 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

// A member that is added to either type is missing here until it travels too.
const requests: fc.Arbitrary<Required<ChargeRequest>> = fc.record({
  callId: id,
  accountId: id,
  apiKey: count,
  key: text,
  asked: text,
  resource: fc.constant(RESOURCE),
  rows: count,
  window: text,
  release: text,
  maxCredits: fc.option(count),
  tags: fc.option(tags),
  isRetry: fc.boolean(),
  requestId: maybe(id) as fc.Arbitrary<string>,
  wantsPlace: maybe(fc.constant(true)) as fc.Arbitrary<boolean>,
  units: maybe(units) as fc.Arbitrary<Units>,
  notAfter: count,
});

const calls: fc.Arbitrary<Complete<CallMade>> = fc.record({
  key: text,
  asked: maybe(text) as fc.Arbitrary<string>,
  window: maybe(text) as fc.Arbitrary<string>,
  release: text,
  api_key: count,
  rows: count,
  kind: fc.constantFrom('base' as const, 'repeat' as const, 'each' as const),
  cost: fc.tuple(count, count),
  card: count,
  rule: text,
  draws: fc.array(fc.tuple(count, count), { maxLength: 3 }),
  balance: integer,
  tags: maybe(tags) as fc.Arbitrary<Record<string, string>>,
  request: maybe(id) as fc.Arbitrary<string>,
  units: maybe(units) as fc.Arbitrary<Units>,
  hold: fc.constant(undefined),
  waived: fc.constant(undefined),
  late: fc.constant(undefined),
});

const charges = fc.record({
  callId: id,
  at: count,
  call: calls,
  balance: fc.option(integer),
  place: fc.record({ version: count, head: fc.stringMatching(/^[0-9a-f]{64}$/) }),
}) satisfies fc.Arbitrary<ChargedCall>;

function answer(charged: ChargedCall, replayed: boolean): Answer {
  return { kind: 'answer', id: 7, outcome: { outcome: 'charged', charged, replayed } };
}

function heard(said: string, request: ChargeRequest): unknown {
  const value = JSON.parse(said) as unknown;
  if (Array.isArray(value)) return chargedOf(value, request);
  return isAccountingMessage(value) ? value : undefined;
}

const CHARGED: ChargedCall = {
  callId: requestOf().callId,
  at: 1,
  balance: 5,
  call: {
    key: requestOf().key,
    release: '2026w46',
    api_key: 1,
    rows: 5,
    kind: 'repeat',
    cost: [10, 0],
    card: 1,
    rule: 'top5',
    draws: [[1, 10]],
    balance: 5,
  },
};
const REQUEST = requestOf({ callId: CHARGED.callId });
const ROW = JSON.parse(chargeText(7, REQUEST, false)) as unknown[];
const ANSWER = JSON.parse(
  answerText(answer(CHARGED, false), { kind: 'charge', id: 7, request: REQUEST }),
) as unknown[];

test('a charge is read as it was written, whatever its texts hold', () => {
  fc.assert(
    fc.property(count, requests, fc.boolean(), (number, request, isRetry) => {
      const said = JSON.parse(chargeText(number, request, isRetry)) as unknown;
      const charge = { kind: 'charge', id: number, request: { ...request, isRetry } };
      expect(readApiMessage(said)).toEqual(charge);
    }),
  );
});

test('the answer to a charge is read as it was written, of a new call and of an earlier one', () => {
  fc.assert(
    fc.property(charges, requests, fc.boolean(), fc.boolean(), (charged, asked, replayed, own) => {
      const named = { callId: charged.callId, key: charged.call.key };
      const request = own ? { ...asked, ...named } : asked;
      const written = answerText(answer(charged, replayed), { kind: 'charge', id: 7, request });
      expect(heard(written, request)).toEqual(answer(charged, replayed));
    }),
  );
});

test('every other answer is the text of an object', () => {
  const other: Answer = { kind: 'unavailable', id: 7, retryAfterSeconds: 1, detail: 'Away.' };
  const refused: Answer = {
    kind: 'answer',
    id: 7,
    outcome: { outcome: 'refused', refusal: { reason: 'too-late' } },
  };
  for (const each of [other, refused]) {
    const written = answerText(each, { kind: 'charge', id: 7, request: REQUEST });
    expect(JSON.parse(written)).toEqual(each);
  }
});

test('members that a newer peer adds are passed over', () => {
  const charge = { kind: 'charge', id: 7, request: { ...REQUEST, wantsPlace: true } };
  const row = JSON.parse(chargeText(7, charge.request, false)) as unknown[];
  expect(readApiMessage([...row, null, 'added', { by: 'a newer version' }])).toEqual(charge);
  expect(chargedOf([...ANSWER, 'added'], REQUEST)).toEqual(answer(CHARGED, false));
});

/** All but what may be null: limit, tags, request. */
const NEEDED = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13];

test.each(NEEDED)('an array without its member %i is no charge', (place) => {
  expect(readApiMessage(ROW.with(place, null))).toBeUndefined();
  expect(readApiMessage(ROW.slice(0, place))).toBeUndefined();
});

test.each([1, 9, 10])('an array without its member %i is no answer', (place) => {
  expect(chargedOf(ANSWER.with(place, 'x'), REQUEST)).toBeUndefined();
  expect(chargedOf(ANSWER.slice(0, place), REQUEST)).toBeUndefined();
});

test('whether a place is wanted takes no byte where it is not, and is nothing but that', () => {
  const [none, no] = [REQUEST, { ...REQUEST, wantsPlace: false }].map((request) =>
    chargeText(7, request, false),
  );
  expect(no).toBe(none);
  expect(readApiMessage([...ROW, 'yes'])).toBeUndefined();
});

test('any array is a charge or none, and never an error', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (row) => {
      const read = readApiMessage(row);
      expect(read === undefined || read.kind === 'charge').toBe(true);
      expect(() => chargedOf(row, REQUEST)).not.toThrow();
    }),
  );
});

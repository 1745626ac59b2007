import fc from 'fast-check';
import { callText } from './call-text.js';
import type { CallMade } from './calls.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\u2028', '\ud800', '\udfff', '\u007f', 'é', '😀'),
  }),
);
const integer = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -0, 1, 1e21, 0.5));
const pair = fc.tuple(integer, integer);

/** As a decision makes it: every member is named, in this order, also one that is added. */
const members: { readonly [Name in keyof Required<CallMade>]: fc.Arbitrary<CallMade[Name]> } = {
  key: text,
  asked: fc.option(text, { nil: undefined }),
  window: fc.option(text, { nil: undefined }),
  release: text,
  api_key: integer,
  rows: integer,
  kind: fc.constantFrom('base', 'repeat', 'each'),
  cost: pair,
  card: integer,
  rule: text,
  draws: fc.array(pair, { maxLength: 4 }),
  balance: integer,
  tags: fc.option(fc.dictionary(text, text), { nil: undefined }),
  request: fc.option(text, { nil: undefined }),
  units: fc.option(fc.dictionary(text, integer), { nil: undefined }),
  hold: fc.constant(undefined),
  waived: fc.constant(undefined),
  late: fc.constant(undefined),
};

/** Of a settlement. */
const settled = {
  ...members,
  hold: text,
  waived: fc.option(integer, { nil: undefined }),
  late: fc.constantFrom(undefined, true as const),
};

test('the text of a call is what JSON.stringify writes, byte for byte', () => {
  fc.assert(
    fc.property(fc.oneof(fc.record(members), fc.record(settled)), (data) => {
      expect(callText(data)).toBe(JSON.stringify(data));
    }),
    { numRuns: 2_000 },
  );
});

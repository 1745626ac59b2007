import type { Schema } from '#web/openapi-document.js';
import { schemaOf, textOfSchema } from './schema-text.js';
import { type Direction, SchemaBreaks } from './schema-breaks.js';

const text: Schema = { type: 'string' };
const words = (...all: readonly string[]): Schema => ({ type: 'string', enum: all });
const object = (properties: Readonly<Record<string, Schema>>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const kind = (name: string): Schema => object({ type: { const: name } }, 'type');
const named = (...choices: readonly Schema[]): Schema => ({
  oneOf: choices,
  discriminator: { propertyName: 'type' },
});

const RULES: readonly (readonly [
  rule: string,
  before: Schema,
  after: Schema,
  request: readonly string[],
  answer: readonly string[],
])[] = [
  ['the same', text, text, [], []],
  ['a new member', object({}), object({ a: text }), [], []],
  ['a new required member', object({}), object({ a: text }, 'a'), ['/a: is required now'], []],
  ['a removed member', object({ a: text }), object({}), ['/a: is removed'], ['/a: is removed']],
  [
    'a member that is required no more',
    object({ a: text }, 'a'),
    object({ a: text }),
    [],
    ['/a: may be absent now'],
  ],
  ['another word', words('a'), words('a', 'b'), [], []],
  ['a word less', words('a', 'b'), words('a'), [': takes no b now'], []],
  ['words in the place of a text', text, words('a'), [': takes few words now'], []],
  ['another type', text, { type: 'integer' }, [': takes no string now'], [': may be integer now']],
  ['a number for an integer', { type: 'integer' }, { type: 'number' }, [], [': may be number now']],
  [
    'an integer for a number',
    { type: 'number' },
    { type: 'integer' },
    [': takes no number now'],
    [],
  ],
  ['null as well', text, { anyOf: [text, { type: 'null' }] }, [], [': has one choice more']],
  ['null no more', { anyOf: [text, { type: 'null' }] }, text, [': takes one choice less'], []],
  [
    'a lower limit',
    { type: 'integer', maximum: 9 },
    { type: 'integer', maximum: 8 },
    [': has another maximum'],
    [],
  ],
  ['a wider limit', { type: 'integer', maximum: 8 }, { type: 'integer', maximum: 9 }, [], []],
  ['a pattern', text, { ...text, pattern: '^a' }, [': has another pattern'], []],
  [
    'a change in a list',
    { type: 'array', items: object({ a: text }) },
    { type: 'array', items: object({}) },
    ['/*/a: is removed'],
    ['/*/a: is removed'],
  ],
  [
    'a new kind of a union with a discriminator',
    named(kind('a')),
    named(kind('a'), kind('b')),
    [],
    [],
  ],
  [
    'another name of a kind',
    kind('a'),
    kind('b'),
    ['/type: takes no a now'],
    ['/type: is no a any more'],
  ],
];

const asText = (schema: Schema): Schema => schemaOf(textOfSchema(schema));

describe.each<Direction>(['request', 'answer'])('in a schema of a %s', (direction) => {
  test.each(RULES)('%s', (_rule, before, after, request, answer) => {
    const expected = direction === 'request' ? request : answer;
    expect(new SchemaBreaks({}, {}).of(before, after, direction, '')).toEqual(expected);
    const read = new SchemaBreaks({}, {}).of(asText(before), asText(after), direction, '');
    expect(read).toEqual(expected);
  });
});

test.each<[string, Schema]>([
  [
    'string(uuid, minLength 1, pattern "^\\\\d[a-z, ]{2}$")',
    { type: 'string', format: 'uuid', minLength: 1, pattern: '^\\d[a-z, ]{2}$' },
  ],
  [
    'integer(minimum -1, maximum 1000) | null',
    { type: ['integer', 'null'], minimum: -1, maximum: 1000 },
  ],
  [
    'string(allOf [{"pattern":"a"},{"pattern":"b"}])',
    { type: 'string', allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
  ],
  ['"a" | "b" | null', { anyOf: [words('a', 'b'), { type: 'null' }] }],
  [
    '{ a: 1, "b c"?: [any](maxItems 2), ... }',
    {
      type: 'object',
      properties: { a: { const: 1 }, 'b c': { type: 'array', items: {}, maxItems: 2 } },
      required: ['a'],
    },
  ],
  [
    '{ ...: Money }(minProperties 1)',
    {
      type: 'object',
      additionalProperties: { $ref: '#/components/schemas/Money' },
      minProperties: 1,
    },
  ],
  ['by type ({ type: "a" } | Other)', named(kind('a'), { $ref: '#/components/schemas/Other' })],
])('the text %s is read as it was written', (written, schema) => {
  expect(textOfSchema(schema)).toBe(written);
  expect(textOfSchema(schemaOf(written))).toBe(written);
});

test.each(['', '{ a: }', '[string', 'text', 'string string', 'string(minimum'])(
  'no schema is read from "%s"',
  (faulty) => {
    expect(() => schemaOf(faulty)).toThrow('The text lacks');
  },
);

test('schemas that refer to each other are compared once', () => {
  const node = (members: Readonly<Record<string, Schema>>) => ({
    Node: object({ next: { $ref: '#/components/schemas/Node' }, ...members }),
  });
  const root = { $ref: '#/components/schemas/Node' };
  const breaks = new SchemaBreaks(node({ a: text }), node({})).of(root, root, 'answer', '');
  expect(breaks).toEqual(['/a: is removed']);
});

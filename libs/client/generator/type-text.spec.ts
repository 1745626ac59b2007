import { commentText, typeName, typeText } from './type-text.js';

test.each([
  [{ type: 'integer', minimum: 1 }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ const: 'not-found' }, '"not-found"'],
  [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
  [{ $ref: '#/components/schemas/Problem-not-found' }, 'ProblemNotFound'],
  [{ anyOf: [{ type: 'number' }, { type: 'integer' }, { type: 'null' }] }, 'number | null'],
  [{ type: 'array', items: { oneOf: [{ const: 1 }, { const: 2 }] } }, 'readonly (1 | 2)[]'],
  [
    { type: 'object', additionalProperties: { type: 'string' } },
    'Readonly<Record<string, string>>',
  ],
  [{ type: 'string', allOf: [{ pattern: 'x' }] }, 'string'],
  [{}, 'unknown'],
])('%j is %s', (schema, text) => {
  expect(typeText(schema)).toBe(text);
});

test('an object has its members with what they are, and others only where it may', () => {
  const properties = { id: { type: 'string', description: 'Its id.' }, note: { type: 'string' } };
  const schema = { type: 'object', required: ['id'], properties };
  const members = ['/** Its id. */', 'readonly id: string;', 'readonly note?: string;'];
  expect(typeText({ ...schema, additionalProperties: false }).split('\n')).toEqual([
    '{',
    ...members,
    '}',
  ]);
  expect(typeText(schema)).toContain('readonly [name: string]: unknown;');
});

test('an object has every member that its patterns name', () => {
  const text = { type: 'string' };
  const patternProperties = { '^cat[1-2]_id$': text, '^(?:cat5|brand)_label$': text };
  const schema = { type: 'object', additionalProperties: false, patternProperties };
  expect(typeText(schema).split('\n').slice(1, -1)).toEqual(
    ['cat1_id', 'cat2_id', 'cat5_label', 'brand_label'].map((name) => `readonly ${name}?: string;`),
  );
  expect(() => typeText({ ...schema, patternProperties: { '^x+$': text } })).toThrow('^x+$');
});

test('a comment ends where it ends', () => {
  expect(commentText('a */ b', undefined)).toBe('/** a *\\/ b */\n');
  expect(commentText(undefined)).toBe('');
  expect(typeName('Account')).toBe('Account');
});

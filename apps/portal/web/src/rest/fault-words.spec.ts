import { z } from 'zod';
import { inWords } from './fault-words.js';

/** The fault that a schema of the service reports for a value. */
function faultOf(schema: z.ZodType, value: unknown): string {
  return `${schema.safeParse(value).error?.issues[0]?.message ?? ''}.`;
}

const limit = z.int().min(1).max(1_000_000);

test.each<[string, z.ZodType, unknown, string]>([
  ['an empty number', limit, null, 'Enter a number.'],
  ['a number that was never typed', limit, undefined, 'Enter a number.'],
  ['a missing number', z.int('This is missing: a number'), undefined, 'Enter a number.'],
  ['a missing text', z.string('This is missing: a text'), undefined, 'Fill this in.'],
  ['a text for a number', limit, 'much', 'Enter a number.'],
  ['a fraction', limit, 1.5, 'Enter a whole number.'],
  ['a text that was never typed', z.string(), undefined, 'Fill this in.'],
  ['no choice', z.enum(['month', 'window']), null, 'Choose one of month, window.'],
  ['half an address of e-mail', z.email(), 'x', 'An e-mail address like billing@example.com.'],
  ['a sentence of the service', z.string().refine(() => false, 'A week'), '', 'A week.'],
])('%s is described in words', (_, schema, value, words) => {
  expect(inWords(faultOf(schema, value))).toBe(words);
});

test.each([
  ['This must be at least 1.', 'It is at least 1.'],
  ['This must be more than 0.', 'It is more than 0.'],
  ['This must be at most 1000000.', 'It is at most 1,000,000.'],
  ['This must not be empty.', 'Fill this in.'],
  ['This must have at most 1000 characters.', 'It has at most 1,000 characters.'],
  ['There must be at least 1.', 'Choose at least one.'],
  ['There must be at most 2.', 'There are at most 2.'],
])('"%s" of the service is "%s" to a person', (detail, words) => {
  expect(inWords(detail)).toBe(words);
});

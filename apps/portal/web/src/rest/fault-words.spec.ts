import { z } from 'zod';
import { inWords } from './fault-words.js';

/** What a schema of the service says of a value. */
function faultOf(schema: z.ZodType, value: unknown): string {
  return `${schema.safeParse(value).error?.issues[0]?.message ?? ''}.`;
}

const limit = z.int().min(1).max(1_000_000);

test.each<[string, z.ZodType, unknown, string]>([
  ['an empty number', limit, null, 'Enter a number.'],
  ['a number that was never typed', limit, undefined, 'Enter a number.'],
  ['a text for a number', limit, 'much', 'Enter a number.'],
  ['a fraction', limit, 1.5, 'Enter a whole number.'],
  ['too little', limit, 0, 'It is at least 1.'],
  ['nothing, where there has to be more', z.number().positive(), 0, 'It is more than 0.'],
  ['too much', limit, 1_000_001, 'It is at most 1,000,000.'],
  ['an empty text', z.string().min(1), '', 'Fill this in.'],
  ['a text that was never typed', z.string(), undefined, 'Fill this in.'],
  ['a long text', z.string().max(200), 'x'.repeat(201), 'It has at most 200 characters.'],
  ['no choice', z.enum(['month', 'window']), null, 'Choose one of month, window.'],
  ['an empty choice of several', z.array(z.string()).min(1), [], 'Choose at least one.'],
  ['too many', z.array(z.int()).max(2), [1, 2, 3], 'There are at most 2.'],
  ['half an address of e-mail', z.email(), 'x', 'An e-mail address like billing@example.com.'],
  ['a sentence of the service', z.string().refine(() => false, 'A week'), '', 'A week.'],
])('%s is told in words', (_, schema, value, words) => {
  expect(inWords(faultOf(schema, value))).toBe(words);
});

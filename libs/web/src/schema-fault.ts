import { z } from 'zod';

/** The kinds of values, in words. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/**
 * The text of a fault for which a schema has no words of its own: known members, missing ones,
 * types, allowed values and limits. Given to zod as `{ error }`; undefined leaves the words to zod.
 */
export function schemaFaultText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
    const known = Object.keys(issue.inst.shape);
    return known.length === 0
      ? 'No member is taken here'
      : `This is not a member here; known are ${known.join(', ')}`;
  }
  if (issue.code === 'too_small') return tooSmall(issue);
  if (issue.code === 'too_big') return tooBig(issue);
  if (issue.code === 'invalid_format' && issue.format === 'email') {
    return 'An e-mail address such as billing@example.com';
  }
  const expected = expectedText(issue);
  if (expected === undefined) return undefined;
  return (issue.input ?? null) === null
    ? `This is missing: ${expected}`
    : `This must be ${expected}`;
}

/** The type or the words that are expected; undefined: the fault is another one. */
function expectedText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  return undefined;
}

type SizeIssue = Pick<z.core.$ZodIssueTooBig, 'origin' | 'inclusive'>;

function tooSmall(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (issue.origin === 'string' && issue.minimum === 1) return 'This must not be empty';
  return limitText(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
}

function tooBig(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  return limitText(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
}

function limitText({ origin }: SizeIssue, bound: string, limit: number | bigint): string {
  if (origin === 'string') return `This must have ${bound} ${limit} characters`;
  if (origin === 'array') return `There must be ${bound} ${limit}`;
  return `This must be ${bound} ${limit}`;
}

/**
 * The words of a schema as a sentence: "A month like 2026-11", which is how schemas name what they
 * expect, becomes "This must be a month like 2026-11."
 */
export function faultSentence(message: string, isMissing = false): string {
  const text = /^An? /.test(message)
    ? `This ${isMissing ? 'is missing:' : 'must be'} a${message.slice(1)}`
    : message;
  return text.endsWith('.') ? text : `${text}.`;
}

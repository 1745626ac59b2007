import { z } from 'zod';

/** The kinds of values, in words. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/**
 * The text of a fault for which a schema has no words of its own: known members, missing ones, and
 * limits. Given to zod as `{ error }`; undefined leaves the words to zod.
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
  if (issue.code !== 'invalid_type' || issue.input !== undefined) return undefined;
  return `This is missing: ${KINDS[issue.expected] ?? issue.expected}`;
}

type Limited = Pick<z.core.$ZodIssueTooBig, 'origin' | 'inclusive'>;

function tooSmall(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (issue.origin === 'string' && issue.minimum === 1) return 'This must not be empty';
  return limitText(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
}

function tooBig(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  return limitText(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
}

function limitText({ origin }: Limited, bound: string, limit: number | bigint): string {
  if (origin === 'string') return `This must have ${bound} ${limit} characters`;
  if (origin === 'array') return `There must be ${bound} ${limit}`;
  return `This must be ${bound} ${limit}`;
}

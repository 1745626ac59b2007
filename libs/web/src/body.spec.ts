import { z } from 'zod';
import { parseBody } from './body.js';
import { ProblemException } from './problem.js';

const schema = z.strictObject({
  name: z.string(),
  limit: z
    .strictObject({ credits: z.int().max(Number.MAX_SAFE_INTEGER), 'a/b': z.boolean().optional() })
    .optional(),
  lines: z.array(z.strictObject({ amount: z.number() })).optional(),
  month: z.string('A month like 2026-11').optional(),
});

const MOST = '/limit/credits This must be at most 9007199254740991.';

function faultsOf(body: unknown, of: z.ZodType = schema): unknown {
  try {
    parseBody(of, body);
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    const errors = error.problem.members['errors'] as { pointer: string; detail: string }[];
    return errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
  }
  return 'none';
}

describe('what is wrong with a body', () => {
  it.each([
    ['no body', undefined, [' This is missing: an object in JSON.']],
    ['a missing member', {}, ['/name This is missing: a text.']],
    ['a missing number', { name: 'A', limit: {} }, ['/limit/credits This is missing: a number.']],
    ['too much, reported once', { name: 'A', limit: { credits: 2 ** 53 } }, [MOST]],
    [
      'what the schema says itself',
      { name: 'A', month: 7 },
      ['/month This must be a month like 2026-11.'],
    ],
  ])('is reported in words: %s', (_what, body, faults) => {
    expect(faultsOf(body)).toEqual(faults);
  });

  it('names the members there are beside each that there is not', () => {
    const known = 'This is not a member here; known are';
    expect(
      faultsOf({
        name: 'A',
        nam: 'A',
        'x/y': 1,
        limit: { credits: 1, credit: 1 },
        lines: [{ amount: 1 }, { amount: 1, net: 1 }],
      }),
    ).toEqual([
      `/limit/credit ${known} credits, a/b.`,
      `/lines/1/net ${known} amount.`,
      `/nam ${known} name, limit, lines, month.`,
      `/x~1y ${known} name, limit, lines, month.`,
    ]);
  });

  it('says where no member is taken at all', () => {
    expect(faultsOf({ x: 1 }, z.strictObject({}))).toEqual(['/x No member is taken here.']);
  });
});

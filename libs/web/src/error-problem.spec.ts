import { BadCursorError, BadMomentError, UsageTimeoutError } from './read-errors.js';
import { errorProblem } from './error-problem.js';

describe('what only a look at the account shows to be wrong', () => {
  it.each([
    [
      'a cursor of another list',
      new BadCursorError('zzz'),
      { name: 'after', value: 'zzz', detail: 'This list has not returned this cursor.' },
    ],
    [
      'a moment to come',
      new BadMomentError(Date.UTC(2030, 0, 1), 'The account has not come there'),
      {
        name: 'as_of',
        value: '2030-01-01',
        detail: 'The account has not come there.',
      },
    ],
    [
      'sums of too much',
      new UsageTimeoutError('too long'),
      { name: 'from', value: null, detail: expect.stringContaining('shorter time') as string },
    ],
  ])('is a wrong parameter: %s', (_what, error, fault) => {
    const { slug, members } = errorProblem(error, '/v1/account?limit=1&as_of=2030-01-01');
    expect(slug).toBe('invalid-parameter');
    expect(members['parameters']).toEqual([{ in: 'query', ...fault }]);
  });
});

import { ProblemError } from '#client/problem-error.js';
import { formFaults, isSignedOut, type Problem } from './problem.js';

function refused(problem: Partial<Problem>): ProblemError {
  return new ProblemError({ code: 'x', title: 'Title', status: 400, ...problem }, new Headers());
}

test('each fault stands at its field, those below it too', () => {
  const error = refused({
    errors: [
      { pointer: '/label', detail: 'Too long.' },
      { pointer: '/scopes/1', detail: 'No scope.' },
      { pointer: '/scopes/2', detail: 'Twice.' },
    ],
  });
  expect(formFaults(error, ['label', 'scopes'])).toEqual({
    fields: { label: 'Too long.', scopes: 'No scope. Twice.' },
    rest: [],
  });
});

test('a fault of no field of the form is not lost', () => {
  const error = refused({
    errors: [
      { pointer: '', detail: 'No object.' },
      { pointer: '/other', detail: 'Unknown.' },
    ],
    parameters: [{ in: 'query', name: 'region', allowed: ['us', 'gb'] }],
  });
  const { rest } = formFaults(error, ['label']);
  expect(rest).toEqual(['No object.', 'other: Unknown.', 'region: One of us, gb']);
});

test('a refusal without faults shows its detail, or its title', () => {
  expect(formFaults(refused({ detail: 'Not today.' }), []).rest).toEqual(['Not today.']);
  expect(formFaults(refused({}), []).rest).toEqual(['Title']);
  expect(formFaults(null, []).rest).toEqual([]);
});

test('only 401 means that nobody is signed in', () => {
  expect(isSignedOut(refused({ status: 401 }))).toBe(true);
  expect(isSignedOut(refused({ status: 403 }))).toBe(false);
  expect(isSignedOut(new Error('401'))).toBe(false);
});

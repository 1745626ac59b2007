import { ProblemError } from '#client/problem-error.js';
import { formFaults, isNotFound, isSignedOut, problemOf, type Problem } from './problem.js';

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

test('what an address names is not there where it is unknown, or cannot be an id', () => {
  const parameters = [{ in: 'path', name: 'number' }];
  expect(isNotFound(refused({ status: 404 }))).toBe(true);
  expect(isNotFound(refused({ status: 400, parameters }))).toBe(true);
  expect(isNotFound(refused({ status: 400, parameters: [{ in: 'query', name: 'from' }] }))).toBe(
    false,
  );
  expect(isNotFound(refused({ status: 503 }))).toBe(false);
  expect(isNotFound(new Error('404'))).toBe(false);
});

test('a wrong filter in an address is named, with what would be right', () => {
  const { title, detail } = problemOf(
    refused({
      parameters: [
        { in: 'query', name: 'account_id', value: 'x', detail: 'A UUID.' },
        { in: 'query', name: 'kind', value: 'x', allowed: ['base', 'repeat'] },
      ],
    }),
  );
  expect(title).toBe('A filter of this page is wrong');
  expect(detail).toBe('Correct or clear account id (A UUID), kind (One of base, repeat).');
});

test.each([
  'Failed to fetch dynamically imported module: https://portal.example/assets/calls-1.js',
  'error loading dynamically imported module: https://portal.example/assets/calls-1.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/calls-1.css',
])('code that could not be fetched is named in plain words: %s', (message) => {
  const { title, detail } = problemOf(new TypeError(message));
  expect(title).toBe('A part of this page could not be fetched');
  expect(detail).not.toContain('/assets/');
});

test('a fault of a page is described without the words of its code', () => {
  expect(problemOf(new TypeError('l is not a function')).detail).not.toContain('function');
});

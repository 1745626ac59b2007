import { loggedError } from './logged-error.js';

test('an error is logged by name, message, code, stack and cause, and by nothing else', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const error = new TypeError('The query failed.', { cause });
  Object.assign(error, { client: { password: 'opensesame' }, detail: 'Key (email)=(n@x.org)' });
  const logged = loggedError(error);
  expect(logged).toEqual({
    type: 'TypeError',
    message: 'The query failed.',
    stack: expect.stringContaining('logged-error.spec'),
    cause: expect.objectContaining({ message: 'refused', code: 'ECONNREFUSED' }),
  });
  expect(JSON.stringify(logged)).not.toMatch(/opensesame|n@x\.org/);
});

test('an outage is logged without a stack, which explains nothing', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(loggedError(refused)).toEqual({ type: 'Error', message: 'connect', code: 'ECONNREFUSED' });
});

test('causes that go round in a circle are cut', () => {
  const error = new Error('first');
  error.cause = new Error('second', { cause: error });
  expect(JSON.stringify(loggedError(error)).match(/"message"/g)).toHaveLength(6);
});

test.each([
  ['a text', { type: 'string', message: 'a text' }],
  [undefined, { type: 'undefined', message: 'undefined' }],
])('%s that was thrown is logged as its text', (thrown, expected) => {
  expect(loggedError(thrown)).toEqual(expected);
});

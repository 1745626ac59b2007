import { ProblemError } from '#client/problem-error.js';
import { failureOf } from './failure.js';

const PLACE = {
  address: 'https://portal.example/calls?tag=team',
  at: '2026-11-27T12:00:00.000Z',
  browser: 'A browser',
};

test('a fault of a page has a short reference, the same each time, and details to send', () => {
  const error = new TypeError('l is not a function');
  const { reference, details } = failureOf(error, PLACE);
  expect(reference).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}$/);
  expect(failureOf(error, { ...PLACE, at: '2026-11-28T12:00:00.000Z' }).reference).toBe(reference);
  expect(failureOf(new TypeError('m is not a function'), PLACE).reference).not.toBe(reference);
  for (const part of [reference, PLACE.at, 'https://portal.example/calls', 'l is not a function']) {
    expect(details).toContain(part);
  }
  expect(details).not.toContain('tag=team');
});

test('a browser whose stacks leave the message out says it all the same', () => {
  const error = Object.assign(new TypeError('gone'), { stack: 'draw@page.js:1:2' });
  expect(failureOf(error, PLACE).details).toContain('TypeError: gone\ndraw@page.js:1:2');
});

test('a refusal is quoted by the id of its request', () => {
  const body = { code: 'internal', title: 'A fault', status: 500, instance: 'urn:uuid:1-2' };
  expect(failureOf(new ProblemError(body, new Headers()), PLACE).reference).toBe('1-2');
});

test('a thrown value that is no error is in the details', () => {
  expect(failureOf('odd', PLACE).details).toContain('odd');
});

import { sharedBuffers } from './settings.js';

const GB = 1024 ** 3;

test.each([
  [0.5, '256MB'],
  [4, '256MB'],
  [8, '512MB'],
  [16, '1024MB'],
  [512, '1024MB'],
])('with %p GB of memory the cache of the database has %s', (gigabytes, expected) => {
  expect(sharedBuffers(gigabytes * GB)).toBe(expected);
});

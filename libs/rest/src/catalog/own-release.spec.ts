import type { Release } from '#popularity/releases.js';
import { releaseFor } from './own-release.js';

const R1: Release = { label: 'r1', window: '2026w47', through: '2026-10-01' };
const R2: Release = { label: 'r2', window: '2026w48', through: '2026-11-01' };

const releases = {
  serving: (window: string) => [R2, R1].find((each) => each.window <= window),
  first: () => R1,
  byLabel: (label: string) => [R1, R2].find((each) => each.label === label),
};

const customer = { test: false, testClock: null, pins: {} };
const demo = { ...customer, test: true };
const frozen = { ...demo, testClock: 0, pins: { '2026w48': 'r1' } };

test.each([
  ['a customer by the newest one that has begun', customer, '2026w48', 'r2'],
  ['a customer by none before the first one', customer, '2026w46', undefined],
  ['a test account by the first one before it begins', demo, '2026w46', 'r1'],
  ['a test account by the newest one afterwards', demo, '2026w48', 'r2'],
  ['a test clock by what it has called there first', frozen, '2026w48', 'r1'],
  ['a test clock by the first one before it begins', frozen, '2026w46', 'r1'],
])('serves %s', (_whom, state, window, label) => {
  expect(releaseFor(releases, state, window)?.label).toBe(label);
});

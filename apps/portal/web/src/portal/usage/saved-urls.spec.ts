import { creditsOf, savedBy, savedUrls } from './saved-urls.js';
import type { Savings } from '../../rest/answers.js';

const key = (week: string, url: string, credits: number) => ({
  key: `/v1/${week}/${url}`,
  calls: 1,
  credits,
});

const SAVINGS: Savings = {
  month: '2026-10',
  calls: 9,
  credits_used: 900,
  is_whole: true,
  measures: [
    {
      measure: 'caching',
      calls: 3,
      credits: 60,
      keys: [key('2026w41', 'a', 20), key('2026w42', 'a', 30), key('2026w42', 'b', 10)],
    },
    { measure: 'conditional_requests', calls: 3, credits: 0, keys: [key('2026w42', 'a', 0)] },
    { measure: 'credits_max', calls: 1, credits: 35, keys: [key('2026w42', 'b', 35)] },
    { measure: 'fewer_repeats', calls: 1, credits: 10, keys: [key('2026w42', 'a', 10)] },
  ],
};

test('a URL is one row for all its weeks, and no repeat is counted twice', () => {
  const urls = savedUrls(SAVINGS);
  expect(urls).toEqual([
    { path: '/v1/latest/a', repeats: 50, unchanged: 0 },
    { path: '/v1/latest/b', repeats: 10, unchanged: 35 },
  ]);
  const sum = urls.reduce((credits, url) => credits + creditsOf(url), 0);
  expect(sum).toBe(savedBy(SAVINGS, 'caching') + savedBy(SAVINGS, 'credits_max'));
});

import { describePath } from './resource-path.js';

const ID = '5f340154-5d17-8112-a92b-ef73adbbd1cb';

const PATHS = [
  '/v1/latest/cat1/trends/top5/popindex/us/beauty',
  '/v1/2026w47/cat2/brands/all/popindex/fr/skincare',
  `/v1/latest/cat1/related-trends/top100/popindex/global/${ID}/skin-types`,
  `/v1/latest/cat5/timeseries/popindex/kr/${ID}`,
  `/v1/latest/brand/timeseries/popindex/jp/${ID}`,
];

test('a path is described in words, with the name of its item where one is known', () => {
  const named = (path: string) =>
    describePath(path, (item) => (item === ID ? 'Serums' : undefined));
  expect(named(PATHS[0] ?? '')).toMatchObject({ title: 'Beauty', details: 'Trends, top 5 · US' });
  expect(named(PATHS[2] ?? '')).toMatchObject({
    title: 'Serums',
    details: 'Related trends, top 100 · skin types · GLOBAL',
  });
  expect(describePath(PATHS[3] ?? '', () => undefined)).toMatchObject({ title: '5f340154' });
  expect(named('/elsewhere')).toMatchObject({ title: '/elsewhere', details: '' });
});

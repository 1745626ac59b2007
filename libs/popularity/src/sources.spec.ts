import { figureMembers } from './figures.js';
import { DEFAULT_SOURCES, serveSources, sourceFaults, sourceLabel, SOURCES } from './sources.js';

afterEach(() => serveSources(DEFAULT_SOURCES));

it('answers have a share for each source of the service, in its order', () => {
  expect(figureMembers().slice(7)).toEqual([
    'google_share_percent',
    'tiktok_share_percent',
    'instagram_share_percent',
  ]);
  serveSources(['shop_visits', 'google']);
  expect(SOURCES).toEqual(['shop_visits', 'google']);
  expect(figureMembers().slice(7)).toEqual(['shop_visits_share_percent', 'google_share_percent']);
});

it.each([
  ['a', []],
  ['a,b2,c_3', []],
  ['a,b,c,d', ['4 are named']],
  ['', ['"" is no such name']],
  [
    'item_id,2b,b,b',
    ['4 are named', '"item_id" is no such name', '"2b" is no such name', '"b" is named twice'],
  ],
])('every fault of "%s" is named', (text, faults) => {
  expect(sourceFaults(text.split(','))).toEqual(faults);
});

it('nothing is set where there is a fault', () => {
  expect(() => serveSources([])).toThrow(new RangeError('0 are named'));
  expect(SOURCES).toEqual(DEFAULT_SOURCES);
});

it.each([
  ['tiktok', 'TikTok'],
  ['google', 'Google'],
  ['shop_visits', 'Shop visits'],
])('people read %s as %s', (source, label) => expect(sourceLabel(source)).toBe(label));

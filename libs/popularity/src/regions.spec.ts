import {
  DEFAULT_REGIONS,
  mainRegion,
  parseServedPath,
  regionFaults,
  regionLabel,
  REGIONS,
  serveRegions,
} from './regions.js';

afterEach(() => serveRegions(DEFAULT_REGIONS));

const path = (region: string) => `/v1/latest/cat1/trends/top5/popindex/${region}/beauty`;

it('the regions of a service are those of the specification until others are set', () => {
  expect(REGIONS).toEqual(['us', 'gb', 'fr', 'kr', 'jp', 'global']);
  expect(mainRegion()).toBe('us');
  serveRegions(['global', 'de', 'north-sea']);
  expect(REGIONS).toEqual(['global', 'de', 'north-sea']);
  expect(mainRegion()).toBe('de');
  serveRegions(['global']);
  expect(mainRegion()).toBe('global');
});

it('a path names one of them, and a refusal lists them', () => {
  serveRegions(['de', 'at']);
  expect(parseServedPath(path('de'))).toMatchObject({ outcome: 'resource' });
  for (const region of ['us', 'DE', 'x'.repeat(17)]) {
    const parameters = [{ in: 'path', name: 'region', value: region, allowed: ['de', 'at'] }];
    expect(parseServedPath(path(region))).toEqual({ outcome: 'invalid', parameters });
  }
});

it.each([
  ['us', []],
  ['0-9,x234567890123456', []],
  ['', ['"" is not 1 to 16 characters of a to z, 0 to 9 and "-"']],
  [
    'DE,at,at,x2345678901234567,at',
    [
      '"DE" is not 1 to 16 characters of a to z, 0 to 9 and "-"',
      '"x2345678901234567" is not 1 to 16 characters of a to z, 0 to 9 and "-"',
      '"at" is named twice',
    ],
  ],
])('every fault of "%s" is named', (text, faults) => {
  expect(regionFaults(text.split(','))).toEqual(faults);
  expect(REGIONS).toEqual(DEFAULT_REGIONS);
});

it('nothing is set where there is a fault', () => {
  expect(() => serveRegions([])).toThrow(new RangeError('no region is named'));
  expect(() => serveRegions(['de', 'de'])).toThrow(new RangeError('"de" is named twice'));
  expect(REGIONS).toEqual(DEFAULT_REGIONS);
});

it.each([
  ['us', 'United States'],
  ['kr', 'South Korea'],
  ['de', 'Germany'],
  ['global', 'Worldwide'],
  ['xx', 'xx'],
  ['north-sea', 'north-sea'],
])('people read %s as %s', (code, label) => expect(regionLabel(code)).toBe(label));

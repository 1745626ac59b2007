import fc from 'fast-check';
import { isWindowLabel, windowLabel } from '#calendar/window-label.js';
import { latestPath, resourceKey } from './resource-key.js';
import { parseResourcePath } from './resource-path.js';
import { anyResource } from './resource.suite.js';

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const RELATED = `/v1/latest/cat1/related-trends/top5/popindex/us/${ID}/ingredients`;
const SERIES = `/v1/latest/cat5/timeseries/popindex/us/${ID}`;
const LISTING = '/v1/latest/cat1/trends/all/popindex/us/beauty';
const BRANDS = '/v1/2026w47/cat1/brands/top100/popindex/global/beauty';
const SHORT = '/v1/cat1/trends/all/popindex/us/beauty';

const labels = fc.integer({ min: 0, max: 10_000 }).map(windowLabel);

const SERVED = { region: ['us', 'gb', 'global'] } as const;

/** Of a service with these regions. */
const parse = (path: string) => parseResourcePath(path, isWindowLabel, SERVED);

/** The names of the wrong parameters of a path, or its outcome if it is not invalid. */
function verdict(path: string): string {
  const parsed = parse(path);
  if (parsed.outcome !== 'invalid') return parsed.outcome;
  return parsed.parameters.map(({ name }) => name).join(' ');
}

/** A path with one of its segments replaced; the first after `v1` is number 2. */
function withSegment(path: string, number: number, text: string): string {
  return path
    .split('/')
    .map((segment, index) => (index === number ? text : segment))
    .join('/');
}

describe('the path of a metered resource', () => {
  it('names related trends', () => {
    expect(parseResourcePath(RELATED)).toEqual({
      outcome: 'resource',
      window: 'latest',
      short: false,
      resource: {
        resource: 'related-trends',
        level: 'cat1',
        limit: 'top5',
        region: 'us',
        category: ID,
        group: 'ingredients',
      },
    });
  });

  it('names a time series', () => {
    expect(parseResourcePath(SERIES)).toEqual({
      outcome: 'resource',
      window: 'latest',
      short: false,
      resource: { resource: 'timeseries', type: 'cat5', region: 'us', item: ID },
    });
  });

  it('names a listing of brands in a given week', () => {
    expect(parseResourcePath(BRANDS)).toEqual({
      outcome: 'resource',
      window: '2026w47',
      short: false,
      resource: {
        resource: 'brands',
        level: 'cat1',
        limit: 'top100',
        region: 'global',
        category: 'beauty',
      },
    });
  });

  it.each([
    ['trends', LISTING, SHORT],
    ['brands', BRANDS.replace('2026w47', 'latest'), BRANDS.replace('/2026w47', '')],
  ])('may leave out the window of a listing of %s, and then means latest', (_, named, short) => {
    const long = parseResourcePath(named);
    expect(long).toMatchObject({ outcome: 'resource', window: 'latest', short: false });
    expect(parseResourcePath(short)).toEqual({ ...long, short: true });
  });

  it('holds a UUID in any case, which the resource holds in lower case', () => {
    const upper = withSegment(SERIES, 7, ID.toUpperCase());
    expect(parseResourcePath(upper)).toEqual(parseResourcePath(SERIES));
  });

  it.each(
    [RELATED, SERIES, LISTING, SHORT, BRANDS].flatMap((path) => [
      `${path}/`,
      `${path}/more`,
      `/${path}`,
      `${path.replace('/popindex/', '/index/')}`,
      `${path.replace('/popindex/', '/POPINDEX/')}`,
      `${path.replace('/popindex/', '/popindex//')}`,
      `${path.replace('/popindex', '')}`,
      `${path.replace('/v1/', '/v2/')}`,
      `${path.replace('/v1/', '/./v1/')}`,
      `${path.replace('/v1/', '/v1/../v1/')}`,
      path.slice(1),
      path.slice(0, path.lastIndexOf('/')),
      path.slice(0, path.lastIndexOf('/') + 1),
    ]),
  )('%s has no shape that exists', (path) => {
    expect(parseResourcePath(path)).toEqual({ outcome: 'not-found' });
  });

  it.each([
    '',
    '/',
    '/v1',
    '/v1/',
    '/v1/account',
    '//////////',
    'v1',
    '/v1/cat1/related-trends/all/popindex/us/beauty',
  ])('%j has no shape that exists', (path) =>
    expect(parseResourcePath(path)).toEqual({ outcome: 'not-found' }),
  );

  it.each([
    [withSegment(RELATED, 2, '2026w54'), 'window'],
    [withSegment(RELATED, 2, '2025w53'), 'window'],
    [withSegment(RELATED, 2, '2026w7'), 'window'],
    [withSegment(RELATED, 2, 'Latest'), 'window'],
    [withSegment(RELATED, 2, '..'), 'window'],
    [withSegment(RELATED, 3, 'cat6'), 'level'],
    [withSegment(RELATED, 3, 'brand'), 'level'],
    [withSegment(RELATED, 5, 'top10'), 'limit'],
    [withSegment(RELATED, 7, 'US'), 'region'],
    [withSegment(RELATED, 7, '.'), 'region'],
    [withSegment(RELATED, 8, 'beauty'), 'category_id'],
    [withSegment(RELATED, 8, `{${ID}}`), 'category_id'],
    [withSegment(RELATED, 8, ID.replaceAll('-', '')), 'category_id'],
    [withSegment(RELATED, 8, ID.replace('3f', '3g')), 'category_id'],
    [withSegment(RELATED, 9, 'Ingredients'), 'group'],
    [withSegment(RELATED, 9, 'skin_types'), 'group'],
    [withSegment(RELATED, 9, 'a'.repeat(65)), 'group'],
    [withSegment(RELATED, 9, 'ſkin'), 'group'],
    [withSegment(RELATED, 9, '..'), 'group'],
    [withSegment(SERIES, 3, 'cat1'), 'type'],
    [withSegment(SERIES, 6, 'de'), 'region'],
    [withSegment(SERIES, 7, `${ID}0`), 'item_id'],
    [withSegment(SERIES, 7, '..'), 'item_id'],
    [withSegment(LISTING, 3, 'brand'), 'level'],
    [withSegment(LISTING, 7, 'eu'), 'region'],
    [withSegment(LISTING, 8, 'Beauty'), 'category_name'],
    [withSegment(LISTING, 8, 'beauty;v=1'), 'category_name'],
    [withSegment(SHORT, 2, 'cat0'), 'level'],
    [withSegment(SHORT, 2, 'latest'), 'level'],
    [withSegment(SHORT, 4, '5'), 'limit'],
    [withSegment(SHORT, 7, '.'), 'category_name'],
  ])('%s is refused for its %s', (path, name) => {
    expect(verdict(path)).toBe(name);
  });

  it('is refused for all of its wrong values at once, with what is allowed', () => {
    const path = '/v1/2026w60/cat9/related-trends/top7/popindex/xx/17/A';
    expect(parse(path)).toEqual({
      outcome: 'invalid',
      parameters: [
        { in: 'path', name: 'window', value: '2026w60', detail: expect.any(String) },
        {
          in: 'path',
          name: 'level',
          value: 'cat9',
          allowed: ['cat1', 'cat2', 'cat3', 'cat4', 'cat5'],
        },
        { in: 'path', name: 'limit', value: 'top7', allowed: ['top5', 'top100', 'all'] },
        {
          in: 'path',
          name: 'region',
          value: 'xx',
          allowed: ['us', 'gb', 'global'],
        },
        { in: 'path', name: 'category_id', value: '17', detail: expect.any(String) },
        { in: 'path', name: 'group', value: 'A', detail: expect.any(String) },
      ],
    });
    expect(verdict('/v1/x/x/timeseries/popindex/x/x')).toBe('window type region item_id');
    expect(verdict('/v1/x/x/brands/x/popindex/x/X')).toBe(
      'window level limit region category_name',
    );
    expect(verdict('/v1/x/trends/x/popindex/x/X')).toBe('level limit region category_name');
  });

  it('asks the given check which labels exist', () => {
    const asked: string[] = [];
    const check = (text: string) => asked.push(text) > 1;
    expect(parseResourcePath(BRANDS, check).outcome).toBe('invalid');
    expect(parseResourcePath(BRANDS, check).outcome).toBe('resource');
    expect(parseResourcePath(LISTING, check).outcome).toBe('resource');
    expect(asked).toEqual(['2026w47', '2026w47']);
  });

  it('is never valid with the literals of two shapes', () => {
    for (const window of ['latest', '2026w47', 'cat1']) {
      for (const item of [ID, 'beauty']) {
        const path = `/v1/${window}/trends/timeseries/popindex/us/${item}`;
        expect(parseResourcePath(path).outcome).toBe('invalid');
      }
    }
  });
});

describe('a percent sign', () => {
  it.each([
    [withSegment(SERIES, 3, 'cat%35'), 'type'],
    [withSegment(RELATED, 9, 'ingredients%'), 'group'],
    [withSegment(LISTING, 8, '%62eauty'), 'category_name'],
    [withSegment(LISTING, 2, '%6Catest'), 'window'],
    [withSegment(LISTING, 4, 'trend%73'), 'path'],
    ['/v1/latest/cat5/timeseries/popindex%2Fus/beauty', 'path'],
    ['/%76%31/latest', 'path'],
    [`${LISTING}/%2e%2e`, 'path'],
    [`${LISTING}%2F`, 'category_name'],
    ['/v1//%', 'path'],
  ])('in %s is refused in the %s', (path, name) => {
    expect(verdict(path)).toBe(name);
  });

  it('is refused wherever it is put', () => {
    fc.assert(
      fc.property(anyResource, fc.nat(), (resource, at) => {
        const path = latestPath(resource);
        const position = 1 + (at % path.length);
        expect(
          parseResourcePath(`${path.slice(0, position)}%41${path.slice(position)}`).outcome,
        ).toBe('invalid');
      }),
    );
  });
});

describe('the key of a resource', () => {
  it('is its path with the label of its week', () => {
    const parsed = parseResourcePath(withSegment(RELATED, 8, ID.toUpperCase()));
    if (parsed.outcome !== 'resource') throw new Error('the path is valid');
    expect(latestPath(parsed.resource)).toBe(RELATED);
    expect(resourceKey(parsed.resource, '2026w47')).toBe(RELATED.replace('latest', '2026w47'));
  });

  it('is a path that names the same resource, for every resource and week', () => {
    fc.assert(
      fc.property(anyResource, labels, (resource, label) => {
        const named = { outcome: 'resource', short: false, resource };
        expect(parseResourcePath(resourceKey(resource, label))).toEqual({
          ...named,
          window: label,
        });
        expect(parseResourcePath(latestPath(resource))).toEqual({ ...named, window: 'latest' });
      }),
      { numRuns: 500 },
    );
  });

  it('is the path as sent, but for latest, the short shape and the case of a UUID', () => {
    const values = fc.constantFrom('latest', '2026w47', 'cat1', 'cat5', 'brand', 'us', 'all', ID);
    const literals = fc.constantFrom(
      'trends',
      'brands',
      'timeseries',
      'related-trends',
      'popindex',
    );
    const segments = fc.array(fc.oneof(values, literals, fc.constant('top5')), { maxLength: 9 });
    fc.assert(
      fc.property(segments, (parts) => {
        const path = ['', 'v1', ...parts].join('/');
        const parsed = parseResourcePath(path);
        if (parsed.outcome !== 'resource') return;
        const key = resourceKey(parsed.resource, parsed.window);
        expect(key).toBe(parsed.short ? path.replace('/v1/', '/v1/latest/') : path);
      }),
      { numRuns: 2000 },
    );
  });
});

import fc from 'fast-check';
import { windowLabel } from '#calendar/window-label.js';
import {
  isAsLatest,
  isKeyOf,
  keyInWindow,
  memberOfKey,
  nameOfKey,
  productOfKey,
} from './key-parts.js';
import {
  isMemberName,
  isMemberValue,
  type NamedResource,
  resourceFaults,
} from './named-resource.js';
import { askedForm, askedPath, latestPath, resourceKey, resourceOfKey } from './resource-key.js';

const name = fc.stringMatching(/^[a-z0-9-]{1,32}$/).filter((text) => text !== 'v1');
const members = fc.dictionary(
  fc.stringMatching(/^[a-z0-9_]{1,32}$/).filter(isMemberName),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter(isMemberValue),
  { maxKeys: 4 },
);
const resources: fc.Arbitrary<NamedResource> = fc
  .tuple(name, name, members)
  .map(([product, resource, others]) => ({ ...others, product, resource }));
const labels = fc.integer({ min: 0, max: 10_000 }).map(windowLabel);

describe('the key of a resource of any product', () => {
  it('describes itself', () => {
    const forecast = { resource: 'forecast', product: 'weather', unit_system: 'si', region: 'us' };
    expect(resourceKey(forecast, '2026w48')).toBe(
      '/weather/2026w48/forecast?region=us&unit_system=si',
    );
    expect(resourceKey({ product: 'weather', resource: 'map' }, '2026w48')).toBe(
      '/weather/2026w48/map',
    );
    expect(resourceKey({ product: 'p', resource: 'r', a: "/?&=%é'" }, '2026w48')).toBe(
      '/p/2026w48/r?a=%2F%3F%26%3D%25%C3%A9%27',
    );
  });

  it('gives back its resource and label, whole and part by part', () => {
    fc.assert(
      fc.property(resources, labels, labels, (resource, label, other) => {
        const key = resourceKey(resource, label);
        expect(resourceOfKey(key)).toEqual(resource);
        expect(productOfKey(key)).toBe(resource.product);
        expect(nameOfKey(key)).toBe(resource.resource);
        expect(isKeyOf(key, label)).toBe(true);
        expect(isKeyOf(key, other)).toBe(label === other);
        expect(keyInWindow(key, other)).toBe(resourceKey(resource, other));
        for (const [member, value] of Object.entries(resource)) {
          if (member === 'product' || member === 'resource') continue;
          expect(memberOfKey(key, resource.resource ?? '', member)).toBe(value);
        }
        expect(memberOfKey(key, resource.resource ?? '', 'absent')).toBe(resource['absent'] ?? '');
      }),
    );
  });

  it('is kept beside what was asked as shortly as that of the index', () => {
    fc.assert(
      fc.property(resources, labels, (resource, label) => {
        const key = resourceKey(resource, label);
        expect(askedForm(key, latestPath(resource))).toBeUndefined();
        expect(askedForm(key, key)).toBe('key');
        for (const asked of [key, latestPath(resource), '/other/latest/x']) {
          expect(askedPath(key, askedForm(key, asked))).toBe(asked);
        }
      }),
    );
  });

  it('is another one for every other resource and product', () => {
    const key = resourceKey({ product: 'weather', resource: 'map' }, '2026w48');
    for (const path of ['/whether/latest/map', '/weather/latest/mop', '/weather/latest/map?a=1']) {
      expect(isAsLatest(path, key)).toBe(false);
    }
  });

  it.each([
    '/weather/2026w48',
    '/weather/2026w60/forecast',
    '/weather/2026w48/forecast?b=1&a=2',
    '/weather/2026w48/forecast?a=%2f',
    '/weather/2026w48/forecast?a=%41',
    '/weather/2026w48/forecast?a=%zz',
    '/weather/2026w48/forecast?a',
    '/weather/2026w48/forecast/us',
    '/Weather/2026w48/forecast',
  ])('%s is no key: it is another spelling, or none', (key) => {
    expect(resourceOfKey(key)).toBeUndefined();
  });
});

describe('names of a resource', () => {
  it('are all right', () => {
    expect(resourceFaults('weather', 'forecast', { region: 'us', city_2: 'São Paulo' })).toEqual(
      [],
    );
  });

  it('are refused with every fault named', () => {
    const faults = resourceFaults('v1', 'Fore cast', { key: 'a', 'b-c': '', d: 'x'.repeat(129) });
    expect(faults).toEqual([
      { pointer: '/product', detail: 'must not be v1: its calls are paths' },
      { pointer: '/resource', detail: 'must be 1 to 32 characters of a to z, 0 to 9 and "-"' },
      { pointer: '/members/key', detail: 'is a name that has another meaning' },
      {
        pointer: '/members/b-c',
        detail: 'must be named by 1 to 32 characters of a to z, 0 to 9 and "_"',
      },
      { pointer: '/members/b-c', detail: 'must be a text of 1 to 128 characters' },
      { pointer: '/members/d', detail: 'must be a text of 1 to 128 characters' },
    ]);
  });

  it('are at most eight, and none that an object has of itself', () => {
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`m${n}`, 'x']));
    expect(resourceFaults('p', 'r', nine)).toEqual([
      { pointer: '/members', detail: 'must be at most 8' },
    ]);
    const own = JSON.parse('{"__proto__": "x"}') as NamedResource;
    expect(resourceFaults('p', 'r', own)).toHaveLength(1);
    expect(resourceFaults('constructor', 'r', { constructor: 'x' })).toEqual([]);
  });

  it('make a key of 512 bytes at most', () => {
    const long = { a: '€'.repeat(56) };
    expect(resourceFaults('p', 'r', long)).toEqual([
      { pointer: '', detail: 'makes a key of 519 bytes; 512 are the most' },
    ]);
    expect(resourceFaults('p', 'r', { a: '€'.repeat(55) })).toEqual([]);
  });
});

import fc from 'fast-check';
import { windowLabel } from '#calendar/window-label.js';
import {
  asLatest,
  isKeyOf,
  memberOfKey,
  nameOfKey,
  placesInKeys,
  windowOfKey,
} from './key-parts.js';
import { latestPath, resourceKey, resourceOfKey } from './resource-key.js';
import { PARAMETERS, RESOURCE_NAMES, RESOURCES, type Member } from './resource.js';
import { anyResource } from './resource.suite.js';

const MEMBERS: readonly Member[] = Object.values(PARAMETERS).map(({ member }) => member);
const labels = fc.integer({ min: 0, max: 10_000 }).map(windowLabel);

test('a key gives back its resource and label, whole and part by part', () => {
  fc.assert(
    fc.property(anyResource, labels, labels, (resource, label, other) => {
      const key = resourceKey(resource, label);
      expect(resourceOfKey(key)).toEqual(resource);
      expect(windowOfKey(key)).toBe(label);
      expect(isKeyOf(key, label)).toBe(true);
      expect(isKeyOf(key, other)).toBe(label === other);
      expect(asLatest(key)).toBe(latestPath(resource));
      expect(asLatest(latestPath(resource))).toBe(latestPath(resource));
      expect(nameOfKey(key)).toBe(resource.resource);
      const members: Partial<Record<Member, string>> = resource;
      for (const member of MEMBERS) {
        expect(memberOfKey(key, resource.resource, member)).toBe(members[member] ?? '');
        const { name, member: places } = placesInKeys(member);
        expect(key.split('/')[name]).toBe(resource.resource);
        const at = places.get(resource.resource);
        expect(at === undefined ? undefined : key.split('/')[at]).toBe(members[member]);
      }
    }),
    { numRuns: 500 },
  );
});

test.each(['', '/', '/v1/latest', '/v1/2026w47/cat1/moods/top5/popindex/us/beauty'])(
  '%p is no key',
  (key) => expect(resourceOfKey(key)).toBeUndefined(),
);

test('a resource of a later version has a name, and no members that are known', () => {
  expect(memberOfKey('/v1/2026w47/x/moods/us', 'moods', 'region')).toBe('');
  expect(nameOfKey('/v1/2026w47/x/moods')).toBe('moods');
});

test.each(RESOURCE_NAMES)('the path of %s has its name behind its first parameter', (name) => {
  expect(RESOURCES[name].path).toMatch(new RegExp(`^\\{\\w+\\}/${name}/(.*/)?\\{\\w+\\}$`));
});

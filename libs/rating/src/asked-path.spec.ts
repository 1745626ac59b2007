import fc from 'fast-check';
import { windowLabel } from '#calendar/window-label.js';
import { askedForm, askedPath, latestPath, resourceKey } from './resource-key.js';
import { anyResource } from './resource.suite.js';

const KEY = '/v1/2026w47/cat1/trends/all/popindex/us/beauty';
const labels = fc.integer({ min: 0, max: 10_000 }).map(windowLabel);

describe('the path as sent, beside its key', () => {
  it.each([
    ['nothing where it asks for the latest', KEY.replace('2026w47', 'latest'), undefined],
    ['a word where it is the key', KEY, 'key'],
    [
      'itself where it is the short shape',
      KEY.replace('/2026w47', ''),
      KEY.replace('/2026w47', ''),
    ],
    ['itself where it names another week', KEY.replace('47', '46'), KEY.replace('47', '46')],
    ['itself where its case differs', KEY.toUpperCase(), KEY.toUpperCase()],
  ])('is kept as %s', (_, asked, form) => {
    expect(askedForm(KEY, asked)).toBe(form);
    expect(askedPath(KEY, form)).toBe(asked);
  });

  it('comes back as it was, for every resource, week and path', () => {
    fc.assert(
      fc.property(anyResource, labels, fc.string(), (resource, label, text) => {
        const key = resourceKey(resource, label);
        const short = key.replace(`/${label}`, '');
        for (const asked of [key, latestPath(resource), short, key.toUpperCase(), `/${text}`]) {
          expect(askedPath(key, askedForm(key, asked))).toBe(asked);
        }
        expect(askedForm(key, latestPath(resource))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', 'latest', 'v1/latest'])('is not %j, which is no path', (asked) => {
    expect(() => askedForm(KEY, asked)).toThrow(RangeError);
  });
});

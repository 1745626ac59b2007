import { entityTag, matchesEntityTag } from './conditional.js';

const TAG = 'W/"abc"';

describe('a validator', () => {
  it('is weak, and differs by key and by release', () => {
    const tag = entityTag('/v1/2026w47/x', 'r1');
    expect(tag).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/);
    expect(entityTag('/v1/2026w47/x', 'r1')).toBe(tag);
    expect(entityTag('/v1/2026w47/x', 'r2')).not.toBe(tag);
    expect(entityTag('/v1/2026w47/y', 'r1')).not.toBe(tag);
  });

  it.each([
    [undefined, false],
    ['', false],
    ['*', true],
    [' * ', true],
    ['W/"abc"', true],
    ['"abc"', true],
    ['"x", W/"abc"', true],
    ['"x",W/"abc",', true],
    ['"a,b", "abc"', true],
    ['"x, W/"abc"', false],
    ['abc', false],
    ['"abcd"', false],
    ['w/"abc"', false],
    ['"x", *', false],
    ['"x"', false],
  ])('%s matches: %s', (header, matches) => {
    expect(matchesEntityTag(header, TAG)).toBe(matches);
  });
});

import { inputDigest } from './change.js';
import { canonicalJson } from './canonical-json.js';
import { CommandIds, profileIdOf } from './command-ids.js';

const PATH = '/admin/v1/accounts/0197c000-0000-7000-8000-00000000000a/grants';

describe('the digest of what was asked', () => {
  const digest = inputDigest('POST', PATH, 'k', { credits: 1, kind: 'purchased' });

  it('does not depend on the order of members nor on the case of the address', () => {
    expect(inputDigest('POST', PATH.toUpperCase(), 'k', { kind: 'purchased', credits: 1 })).toBe(
      digest,
    );
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ['another method', 'PUT', PATH, 'k', { credits: 1, kind: 'purchased' }],
    ['another path', 'POST', `${PATH}s`, 'k', { credits: 1, kind: 'purchased' }],
    ['another key', 'POST', PATH, 'K', { credits: 1, kind: 'purchased' }],
    ['another value', 'POST', PATH, 'k', { credits: 2, kind: 'purchased' }],
    ['another type', 'POST', PATH, 'k', { credits: '1', kind: 'purchased' }],
    ['a further member', 'POST', PATH, 'k', { credits: 1, kind: 'purchased', note: null }],
    ['no body', 'POST', PATH, 'k', undefined],
  ])('is another one for %s', (_, method, path, key, body) => {
    expect(inputDigest(method, path, key, body)).not.toBe(digest);
  });
});

describe('canonical JSON', () => {
  it('orders the members of all objects and the items of no list', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }, 1], a: null })).toBe(
      '{"a":null,"b":[{"c":2,"d":1},1]}',
    );
    expect(canonicalJson(undefined)).toBe('');
    expect(canonicalJson(null)).toBe('null');
  });
});

describe('ids of commands', () => {
  const ids = new CommandIds({ now: () => 1_700_000_000_000.5 });
  const change = { by: 'owner', requestId: 'r', idempotencyKey: null, input: 'i' };

  it('are the same under the same key of the same account, and new without one', () => {
    const keyed = { ...change, idempotencyKey: 'k' };
    expect(ids.next('a', keyed)).toBe(ids.next('a', keyed));
    expect(ids.next('a', keyed)).not.toBe(ids.next('b', keyed));
    expect(ids.next('a', keyed)).not.toBe(ids.next('a', { ...keyed, idempotencyKey: 'K' }));
    expect(ids.next('a', change)).not.toBe(ids.next('a', change));
    expect(ids.next('a', change)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(ids.next('a', keyed)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8/);
  });

  it('name a row of texts for each thing that was said under them', () => {
    expect(profileIdOf('c', change)).toBe(profileIdOf('c', { ...change, requestId: 's' }));
    expect(profileIdOf('c', change)).not.toBe(profileIdOf('c', { ...change, input: 'j' }));
    expect(profileIdOf('c', change)).not.toBe(profileIdOf('d', change));
  });
});

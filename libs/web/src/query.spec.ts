import { z } from 'zod';
import { ProblemException } from './problem.js';
import { PAGE_QUERY, parseQuery, queryFaults } from './query.js';

const schema = z.object({ ...PAGE_QUERY, order: z.enum(['asc', 'desc']).default('asc') });

function faultsOf(query: string): unknown {
  try {
    parseQuery(schema, `/list${query}`);
  } catch (error) {
    if (error instanceof ProblemException) return error.problem.members['parameters'];
    throw error;
  }
  return 'none';
}

describe('a query', () => {
  it.each([
    ['', { limit: 100, order: 'asc' }],
    ['?', { limit: 100, order: 'asc' }],
    ['?&&', { limit: 100, order: 'asc' }],
    ['?limit=1', { limit: 1, order: 'asc' }],
    ['?limit=1000&order=desc', { limit: 1000, order: 'desc' }],
    ['?after=a%2Bb', { limit: 100, order: 'asc', after: 'a+b' }],
    ['?after=a+b', { limit: 100, order: 'asc', after: 'a b' }],
    ['?after=a=b', { limit: 100, order: 'asc', after: 'a=b' }],
  ])('%s is read', (query, values) => {
    expect(parseQuery(schema, `/list${query}`)).toEqual(values);
  });

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=1001', 'limit'],
    ['?limit=-1', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=', 'limit'],
    ['?limit', 'limit'],
    ['?limit=1e2', 'limit'],
    ['?after=', 'after'],
    ['?order=up', 'order'],
    ['?x=1', 'x'],
    ['?__proto__=1', '__proto__'],
    ['?constructor=1', 'constructor'],
    ['?limit=1&limit=1', 'limit'],
    ['?after=%ff', 'after'],
    ['?%zz=1', '%zz=1'],
  ])('%s is a fault of %s', (query, name) => {
    expect(faultsOf(query)).toMatchObject([{ in: 'query', name }]);
  });

  it('names all faults at once, with what is allowed', () => {
    expect(faultsOf('?limit=0&order=up&x=1')).toEqual([
      expect.objectContaining({ name: 'x', allowed: ['after', 'limit', 'order'] }),
      expect.objectContaining({ name: 'limit', value: '0' }),
      { in: 'query', name: 'order', value: 'up', allowed: ['asc', 'desc'] },
    ]);
  });

  it('is no query when it is a bare question mark', () => {
    expect(queryFaults('/v1/x?')).toEqual([]);
    expect(queryFaults('/v1/x?a=1&b')).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });
});

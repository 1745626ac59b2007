import { z } from 'zod';
import { ProblemException } from './problem.js';
import { PAGE_QUERY, parseQuery, queryFaults } from './query.js';

const schema = z.object(PAGE_QUERY);

function faultsOf(query: string, of: z.ZodObject = schema): unknown {
  try {
    parseQuery(of, `/list${query}`);
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
    ['?after=MTI', { limit: 100, order: 'asc', after: 'MTI' }],
  ])('%s is read', (query, values) => {
    expect(parseQuery(schema, `/list${query}`)).toEqual(values);
  });

  it.each([
    ['a%2Bb', 'a+b'],
    ['a+b', 'a b'],
    ['a=b', 'a=b'],
    ['%F0%9F%92%85', '💅'],
  ])('holds the text %s as "%s"', (sent, text) => {
    expect(parseQuery(z.object({ search: z.string() }), `/list?search=${sent}`)).toEqual({
      search: text,
    });
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
    ['?after=zzz', 'after'],
    ['?after=MTI=', 'after'],
    ['?after=%00', 'after'],
    ['?order=asc%00', 'order'],
    ['?%00=1', '\0'],
    ['?after=%ed%a0%80', 'after'],
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
      {
        in: 'query',
        name: 'x',
        value: '1',
        allowed: ['after', 'limit', 'order'],
        detail: 'There is no such parameter here; known are after, limit, order.',
      },
      expect.objectContaining({ name: 'limit', value: '0' }),
      { in: 'query', name: 'order', value: 'up', allowed: ['asc', 'desc'] },
    ]);
  });

  it('says where no parameter is taken, and which is missing', () => {
    const detail = 'No query parameter is taken here.';
    expect(faultsOf('?x=1', z.object({}))).toEqual([
      { in: 'query', name: 'x', value: '1', detail },
    ]);
    expect(faultsOf('', z.object({ month: z.string() }))).toEqual([
      { in: 'query', name: 'month', value: null, detail: 'This is missing: a text.' },
    ]);
  });

  it('is no query when it is a bare question mark', () => {
    expect(queryFaults('/v1/x?')).toEqual([]);
    expect(queryFaults('/v1/x?a=1&b')).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });
});

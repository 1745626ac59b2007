import { QueryClient } from '@tanstack/react-query';
import type { Page } from '#client/listing.js';
import type { Read } from '#client/operations.js';
import { all, one, pages } from './reads.js';

afterEach(() => jest.restoreAllMocks());

/** Answers each read with the next of these pages; returns the addresses that were read. */
function answering(...answers: readonly Page<number>[]): string[] {
  const asked: string[] = [];
  const rest = [...answers];
  jest.spyOn(globalThis, 'fetch').mockImplementation((address) => {
    asked.push(address as string);
    return Promise.resolve(Response.json(rest.shift()));
  });
  return asked;
}

function list(path: string, query = {}): Read<Page<number>> {
  return { id: 'listThings', path, query };
}

test('a list is read page by page, with its filter', async () => {
  const asked = answering({ items: [1], next: 'c' });
  const client = new QueryClient();
  const things = list('/portal/v1/things', { order: 'desc', tag: 'a&b', code: null });
  await client.fetchInfiniteQuery(pages(things));
  client.clear();
  expect(asked).toEqual(['/portal/v1/things?limit=50&order=desc&tag=a%26b']);
});

test('all of a short list is read to its end', async () => {
  const asked = answering({ items: [1, 2], next: 'c' }, { items: [3], next: null });
  const client = new QueryClient();
  await expect(client.fetchQuery(all(list('/portal/v1/things')))).resolves.toEqual([1, 2, 3]);
  client.clear();
  expect(asked).toEqual(['/portal/v1/things?limit=1000', '/portal/v1/things?limit=1000&after=c']);
});

test.each([
  ['/portal/v1/budgets/1', 'budgets'],
  ['/portal/v1/forecast', 'account'],
  ['/portal/v1/credit-notes', 'invoices'],
])('what is read at %s is stale with the topic %s', (path, topic) => {
  expect(one({ id: 'getThing', path }).queryKey[0]).toBe(topic);
});

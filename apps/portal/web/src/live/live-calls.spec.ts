import { QueryClient, type InfiniteData } from '@tanstack/react-query';
import { addLiveCalls, isInList, joinedWithHead, withNewCalls } from './live-calls.js';
import type { Call, Page } from '../rest/answers.js';
import { callsQuery, type CallFilter } from '../rest/queries.js';

function call(id: string, part: Partial<Call> = {}): Call {
  return {
    call_id: id,
    at: '2026-11-21T12:00:00.000Z',
    key: '/v1/2026w47/cat1/trends/top5/popindex/us/beauty',
    kind: 'base',
    call_cost: 10,
    data_cost: 25,
    credits_used: 35,
    balance_after: 0,
    api_key_id: 'key-1',
    tags: { team: 'nails' },
    ...part,
  };
}

const rules: [CallFilter, boolean][] = [
  [{}, true],
  [{ kind: 'base' }, true],
  [{ kind: 'repeat' }, false],
  [{ api_key_id: 'key-2' }, false],
  [{ resource_key: '/v1/2026w46/cat1/trends/top5/popindex/us/beauty' }, false],
  [{ tag: 'team' }, true],
  [{ tag: 'team=nails' }, true],
  [{ tag: 'team=hair' }, false],
  [{ tag: 'project' }, false],
  [{ from: '2026-11-21' }, true],
  [{ from: '2026-11-22' }, false],
  [{ to: '2026-11-22' }, true],
  [{ to: '2026-11-21T12:00:00Z' }, false],
];

test.each(rules)('a call in the list of %j: %p', (filter, isIn) => {
  expect(isInList(call('1'), filter)).toBe(isIn);
});

test('new calls stand on top, the newest first, each once', () => {
  const listed = [call('2'), call('1')];
  const news = [call('2'), call('3'), call('4')];
  expect(withNewCalls(listed, news).map(({ call_id }) => call_id)).toEqual(['4', '3', '2', '1']);
  expect(withNewCalls(listed, [call('1')])).toBe(listed);
});

test.each([
  ['read to its end is read again', null, true],
  ['has further pages stays as it is', 'cursor', false],
])('a list with its oldest calls first that %s', (_what, next, isInvalidated) => {
  const client = new QueryClient();
  const { queryKey } = callsQuery({ order: 'asc' });
  client.setQueryData(queryKey, { pages: [{ items: [call('1')], next }], pageParams: [null] });
  addLiveCalls(client, [call('2')]);
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(isInvalidated);
  expect(client.getQueryData(queryKey)?.pages[0]?.items).toHaveLength(1);
});

test('a call goes into every list that it fits, and into no other', () => {
  const client = new QueryClient();
  const listOf = (filter: CallFilter) => callsQuery(filter).queryKey;
  const empty = { pages: [{ items: [], next: null }], pageParams: [null] };
  client.setQueryData(listOf({}), empty);
  client.setQueryData(listOf({ kind: 'repeat' }), empty);
  addLiveCalls(client, [call('1'), call('2', { kind: 'repeat' })]);
  const idsIn = (filter: CallFilter) =>
    client
      .getQueryData<InfiniteData<Page<Call>>>(listOf(filter))
      ?.pages[0]?.items.map(({ call_id }) => call_id);
  expect(idsIn({})).toEqual(['2', '1']);
  expect(idsIn({ kind: 'repeat' })).toEqual(['2']);
  client.clear();
});

const pages = {
  pages: [
    { items: [call('4'), call('3')], next: 'a' },
    { items: [call('2'), call('1')], next: null },
  ],
  pageParams: [null, 'a'],
};

function idsOf({ pages: read }: typeof pages): string[] {
  return read.flatMap(({ items }) => items.map(({ call_id: id }) => id));
}

test('after a break the newest page joins the list where they meet', () => {
  const joined = joinedWithHead(pages, { items: [call('5'), call('4')], next: 'b' });
  expect(idsOf(joined as typeof pages)).toEqual(['5', '4', '3', '2', '1']);
  expect(joined.pages.map(({ next }) => next)).toEqual(['a', null]);
});

test('where more was missed than a page holds the list begins again from its top', () => {
  const joined = joinedWithHead(pages, { items: [call('9'), call('8')], next: 'b' });
  expect(joined).toEqual({
    pages: [{ items: [call('9'), call('8')], next: 'b' }],
    pageParams: [null],
  });
});

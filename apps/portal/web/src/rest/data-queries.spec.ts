import { QueryClient } from '@tanstack/react-query';
import { creditNotesQuery, invoicesQuery } from './data-queries.js';

afterEach(() => jest.restoreAllMocks());

test('issued documents are asked for with the newest first', async () => {
  const asked = jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => Promise.resolve(Response.json({ items: [], next: null })));
  const client = new QueryClient();
  await client.fetchQuery(invoicesQuery);
  await client.fetchQuery(creditNotesQuery);
  client.clear();
  expect(asked.mock.calls.map(([path]) => path)).toEqual([
    expect.stringMatching(/\/invoices\?.*\border=desc\b/),
    expect.stringMatching(/\/credit-notes\?.*\border=desc\b/),
  ]);
});

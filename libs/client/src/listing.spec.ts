import { Listing } from './listing.js';

const PAGES: Readonly<Record<string, { items: number[]; next: string | null }>> = {
  '': { items: [1, 2], next: 'a' },
  a: { items: [], next: 'b' },
  b: { items: [3], next: null },
};

let asked: (string | undefined)[];

beforeEach(() => {
  asked = [];
});

function listing(first?: string): Listing<number> {
  return new Listing(first, async (after) => {
    asked.push(after);
    return PAGES[after ?? ''] ?? { items: [], next: null };
  });
}

test('a list follows its cursors to the end', async () => {
  expect(await listing().all()).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, 'a', 'b']);
});

test('no page is asked for before its items are wanted', async () => {
  for await (const item of listing()) if (item === 2) break;
  expect(asked).toEqual([undefined]);
});

test('a list can be gone on with, and read page by page', async () => {
  const pages = [];
  for await (const page of listing('a').pages()) pages.push(page.items);
  expect(pages).toEqual([[], [3]]);
});

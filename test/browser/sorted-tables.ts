import type { Locator } from 'playwright-core';
import { expectSoon } from './expect-soon.js';

type Compare = (one: string, other: string) => number;

export const AS_WORDS: Compare = (one, other) => one.localeCompare(other, 'en');
export const AS_NUMBERS: Compare = (one, other) => numberOf(one) - numberOf(other);

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** Clicks the head of a column twice: it sorts the table, and then turns it round. */
export async function expectToSort(table: Locator, head: string, compare: Compare): Promise<void> {
  const heads = table.getByRole('columnheader');
  await table.locator('tbody tr').first().waitFor();
  const place = (await heads.allInnerTexts()).findIndex((text) => text.startsWith(head));
  const cells = () => table.locator(`tbody td:nth-child(${place + 1})`).allInnerTexts();
  const rising = (await cells()).toSorted(compare);
  const falling = rising.toReversed();
  expect(rising).not.toEqual(falling);
  // Words begin with the first of them, numbers with the largest.
  const orders = [
    ['ascending', rising],
    ['descending', falling],
  ] as const;
  for (const [name, order] of compare === AS_WORDS ? orders : orders.toReversed()) {
    await heads.nth(place).getByRole('button').click();
    await expectSoon(cells, order);
    expect(await heads.nth(place).getAttribute('aria-sort')).toBe(name);
  }
}

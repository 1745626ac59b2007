import type { Page } from 'playwright-core';

/** Goes to a page by the menu: an entry, and one of its tabs where it has several. */
export async function goTo(page: Page, entry: string, tab?: string): Promise<void> {
  const pages = page.locator('aside').getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: entry, exact: true }).click();
  if (tab === undefined) return;
  const tabs = page.getByRole('navigation', { name: `Pages of ${entry}` });
  await tabs.getByRole('link', { name: tab, exact: true }).click();
}

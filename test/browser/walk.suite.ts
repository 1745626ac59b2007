import { TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { expectSoon } from './expect-soon.js';
import { openPortal } from './portal-door.js';
import type { Stage } from './stage.js';

/** Every page has more than one way to be left, and each of them ends its effects. */
async function walk(visitor: Visitor): Promise<number> {
  const { page } = visitor;
  const addresses = await addressesIn(visitor, 'Pages');
  const visited = new Set([addresses[0]]);
  for (const address of [...addresses.slice(1), ...addresses.toReversed().slice(1)]) {
    await follow(visitor, address);
    if (visited.has(address)) continue;
    visited.add(address);
    await turnTable(visitor);
    for (const tab of (await addressesIn(visitor, /^Pages of /)).slice(1)) {
      await follow(visitor, tab);
      await turnTable(visitor);
      visited.add(tab);
    }
  }
  const heading = await headingOf(visitor);
  await page.goBack();
  await expectAnother(visitor, heading);
  return visited.size;
}

async function addressesIn({ page }: Visitor, name: string | RegExp): Promise<string[]> {
  const links = page.locator('aside, main').getByRole('navigation', { name, exact: true });
  const hrefs = await links
    .getByRole('link')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  return [...new Set(hrefs.filter((href) => href !== null))];
}

/** Follows a link of the menu or a tab. */
async function follow(visitor: Visitor, address: string): Promise<void> {
  const heading = await headingOf(visitor);
  const links = visitor.page.locator(
    `aside nav a[href="${address}"], main nav a[href="${address}"]`,
  );
  await links.last().click();
  await expectAnother(visitor, heading);
}

function headingOf({ page }: Visitor): Promise<string> {
  return page.getByRole('heading', { level: 1 }).first().innerText();
}

async function expectAnother(visitor: Visitor, before: string): Promise<void> {
  await expectSoon(async () => (await headingOf(visitor)) === before, false);
  await visitor.atRest(/./);
  expect(await headingOf(visitor)).not.toBe('Something went wrong');
}

/** Sorts a table of the page by its last column, in both directions. */
async function turnTable(visitor: Visitor): Promise<void> {
  const head = visitor.page.locator('main thead button:visible').last();
  for (const _direction of ['up', 'down']) {
    if ((await head.count()) === 0) return;
    await head.click();
    await visitor.atRest(/./);
    expect(await headingOf(visitor)).not.toBe('Something went wrong');
  }
}

export function describeWalk(stage: Stage): void {
  describe('a walk through all pages of the menu, there and back, by clicks', () => {
    afterAll(() => stage.clear());

    test.each([
      ['the portal', () => openPortal(stage, stage.demoId), 14],
      ['the console', () => openConsole(stage), 13],
    ])(
      'meets no error in %s',
      async (_, open, pagesMin) => {
        const visitor = await open();
        expect(await walk(visitor)).toBeGreaterThanOrEqual(pagesMin);
        expect(visitor.complaints).toEqual([]);
      },
      TEST_MS,
    );
  });
}

import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../setup/wait-for.js';
import { AT_A_DESK, SIGHTS, WIDTHS_BETWEEN, type Sight, type Visitor } from './browser.js';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const HTML_LENGTH_MAX = 160;
/** Small, as every page that is loaded takes it. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Faults that make the page harder to use for somebody, whatever their weight, one line each. */
export async function findings(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate<boolean>('typeof axe === "object"');
  if (!isLoaded) await page.evaluate(AXE);
  const options = JSON.stringify({ resultTypes: ['violations'], selectors: false });
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) =>
      [id, html.slice(0, HTML_LENGTH_MAX), failureSummary.split('\n')[1]?.trim()].join(' | '),
    ),
  );
}

/** Wide tables scroll by themselves, never the page. */
async function expectToFit(page: Page, width: number): Promise<void> {
  const overflow = 'document.documentElement.scrollWidth - innerWidth';
  const fits = async () => (await page.evaluate<number>(overflow)) <= 0;
  await waitFor(`the page fits ${width} pixels`, fits);
}

/** Looks at what is open: fails on findings of axe, and where the page is wider than the screen. */
export async function expectSights(
  visitor: Visitor,
  sights: readonly Sight[],
  atRest: () => Promise<void>,
): Promise<void> {
  const { page } = visitor;
  for (const sight of sights) {
    await visitor.look(sight);
    await atRest();
    await expectToFit(page, sight.viewport.width);
    const { colorScheme, viewport } = sight;
    const found = await findings(page);
    expect({ colorScheme, ...viewport, found }).toMatchObject({ found: [] });
  }
}

/**
 * Opens a page and looks at it on a large screen by day and in a hand by night; fails on
 * errors, refusals but the allowed, findings of axe, and overflow at any width in between.
 */
export async function expectSound(
  visitor: Visitor,
  path: string,
  heading: string | RegExp,
  allowed = /^$/,
): Promise<void> {
  const { page } = visitor;
  await visitor.look(AT_A_DESK);
  await page.goto(new URL(path, page.url()).href);
  await visitor.atRest(heading);
  await expectSights(visitor, SIGHTS, () => visitor.atRest(heading));
  for (const width of WIDTHS_BETWEEN) {
    await page.setViewportSize({ ...AT_A_DESK.viewport, width });
    await expectToFit(page, width);
  }
  expect(visitor.complaints.splice(0)).toEqual([]);
  const refusals = visitor.refusals.splice(0).filter((refusal) => !allowed.test(refusal));
  expect(refusals).toEqual([]);
}

/** Colours that are switched on an open page, by its button, and stay when it is opened again. */
export async function expectSwitchedColours(visitor: Visitor): Promise<void> {
  const { page, complaints } = visitor;
  await visitor.look(AT_A_DESK);
  const scheme = page.locator('html');
  for (const name of ['dark', 'light']) {
    await page
      .getByRole('button', { name: `Switch to ${name} colours` })
      .first()
      .click();
    await expectAttribute(scheme, 'data-mantine-color-scheme', name);
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expectAttribute(scheme, 'data-mantine-color-scheme', name);
  }
  expect(complaints.splice(0)).toEqual([]);
}

async function expectAttribute(locator: Locator, name: string, value: string): Promise<void> {
  const read = async () => (await locator.getAttribute(name)) === value;
  await waitFor(`${name} is ${value}`, read);
}

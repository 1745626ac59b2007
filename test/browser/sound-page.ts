import { source } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../setup/wait-for.js';
import { AT_A_DESK, IN_A_HAND, type Visitor } from './browser.js';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const GRAVE = new Set(['serious', 'critical']);
const HTML_LENGTH_MAX = 160;

/** Faults that keep people from using the page, one line each; empty: nothing serious. */
export async function graveFindings(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate<boolean>('typeof axe === "object"');
  if (!isLoaded) await page.evaluate(source);
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact !== null && GRAVE.has(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) =>
        [id, html.slice(0, HTML_LENGTH_MAX), failureSummary.split('\n')[1]?.trim()].join(' | '),
      ),
    );
}

/**
 * Opens a page and looks at it at a desk by day, then in a hand by night; fails on errors, refusals
 * but the allowed, what keeps people out, and overflow.
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
  for (const sight of [AT_A_DESK, IN_A_HAND]) {
    await visitor.look(sight);
    await visitor.atRest(heading);
    expect(await graveFindings(page)).toEqual([]);
    // Wide tables scroll by themselves, never the page.
    const overflow = 'document.documentElement.scrollWidth - innerWidth';
    await waitFor('the page fits', async () => (await page.evaluate<number>(overflow)) <= 0);
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
    expect(await graveFindings(page)).toEqual([]);
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

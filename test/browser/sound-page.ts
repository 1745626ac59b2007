import { source } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Visitor } from './browser.js';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const GRAVE = new Set(['serious', 'critical']);
const HTML_LENGTH_MAX = 160;

/** What keeps people from using the page as it is shown, one line each; empty: nothing serious. */
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

/** Opens a page; fails on errors, refusals but the allowed, what keeps people out, and overflow. */
export async function expectSound(
  visitor: Visitor,
  path: string,
  heading: string | RegExp,
  allowed = /^$/,
): Promise<void> {
  const { page } = visitor;
  await page.goto(new URL(path, page.url()).href);
  await visitor.atRest(heading);
  expect(await graveFindings(page)).toEqual([]);
  // Wide tables scroll by themselves, never the page.
  const overflow = 'document.documentElement.scrollWidth - innerWidth';
  expect(await page.evaluate<number>(overflow)).toBeLessThanOrEqual(0);
  expect(visitor.complaints.splice(0)).toEqual([]);
  const refusals = visitor.refusals.splice(0).filter((refusal) => !allowed.test(refusal));
  expect(refusals).toEqual([]);
}

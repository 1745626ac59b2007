import { source } from 'axe-core';
import type { Page } from 'playwright-core';

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

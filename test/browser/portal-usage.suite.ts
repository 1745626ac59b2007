import { TEST_MS, type Visitor } from './browser.js';
import { openPortal } from './portal-door.js';
import { AS_NUMBERS } from './sorted-tables.js';
import type { Stage } from './stage.js';

const DAY_MS = 86_400_000;

/** The way from a sum to the calls behind it. */
export function describePortalUsage(stage: Stage): void {
  describe('usage', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openPortal(stage, stage.demoId);
    }, TEST_MS);

    afterAll(() => stage.clear());

    test(
      'a bar opens the calls of exactly its days and its series, by keyboard too',
      async () => {
        const { page } = visitor;
        await page.goto(new URL('/', page.url()).href);
        await visitor.atRest('Overview');
        await page
          .getByRole('button', { name: /, spent by then: / })
          .first()
          .press('Enter');
        await visitor.atRest('Calls');
        const { from = '', to = '', kind } = Object.fromEntries(new URL(page.url()).searchParams);
        expect(Date.parse(to) - Date.parse(from)).toBe(DAY_MS);
        expect(kind).toBeUndefined();
        // Why that day was dear: its calls by their credits, with the sum and its worth.
        await page
          .locator('tfoot')
          .getByText(/^Sum of [\d,]+ calls?$/)
          .waitFor();
        await page
          .locator('tfoot')
          .getByText(/^≈ US\$[\d,.]+ before tax$/)
          .waitFor();
        const credits = page.getByRole('columnheader', { name: 'Credits' });
        expect(await credits.getAttribute('aria-sort')).toBe('descending');
        const costs = await page.locator('tbody tr[aria-rowindex] td:nth-child(4)').allInnerTexts();
        expect(costs).toEqual(costs.toSorted(AS_NUMBERS).toReversed());
        await page.locator('tbody tr[aria-rowindex]').first().click();
        const why = page.getByRole('dialog', { name: 'Why did this cost that?' });
        await why.getByText(/^≈ US\$[\d,.]+ before tax$/).waitFor();
        await page.goBack();
        await page.goBack();
        await visitor.atRest('Overview');
        await page.getByText('Weeks', { exact: true }).click();
        await page
          .getByRole('button', { name: /, repeat: / })
          .last()
          .click();
        await visitor.atRest('Calls');
        const { searchParams: week } = new URL(page.url());
        const stretch = Date.parse(week.get('to') ?? '') - Date.parse(week.get('from') ?? '');
        expect(stretch).toBe(7 * DAY_MS);
        expect(week.get('kind')).toBe('repeat');
      },
      TEST_MS,
    );

    test(
      'a row of usage is one target, and the file of the table is called by its days',
      async () => {
        const { page } = visitor;
        await page.goto(new URL('/usage?by=resource', page.url()).href);
        await visitor.atRest('Usage');
        await page.getByRole('row', { name: /^Sum/ }).waitFor();
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'CSV of this table' }).click();
        expect((await download).suggestedFilename()).toMatch(
          /^usage-\d{4}-\d{2}-\d{2}-to-\d{4}-\d{2}-\d{2}\.csv$/,
        );
        const row = page.getByRole('row', { name: /^Time series/ });
        await row.click({ position: { x: 700, y: 12 } });
        await page.getByRole('button', { name: 'Remove Resource Time series' }).waitFor();
        await page.getByRole('row', { name: /^Sum/ }).waitFor();
        await page.locator('tbody').getByRole('button').first().press('Enter');
        await page.getByRole('row', { name: /^Sum/ }).waitFor();
        expect(new URL(page.url()).searchParams.get('by')).toBe('window,key');
      },
      TEST_MS,
    );
  });
}

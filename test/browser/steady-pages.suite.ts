import { AT_A_DESK, IN_A_HAND, TEST_MS, type Visitor } from './browser.js';
import { openPortal } from './portal-door.js';
import type { Stage } from './stage.js';

/** Movement of what is seen already, as browsers measure it (CLS). */
const SHIFT_MAX = 0.02;
/** Stops of the Tab key between the menu and the end of the first page. */
const STOPS_MAX = 20;

const MEASURE = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

const STOPS = `[...document.querySelectorAll('main :is(a, button, input, [tabindex])')]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.getClientRects().length > 0).length`;

const PAGES = [
  ['/', 'Overview'],
  ['/usage', 'Usage'],
  ['/usage?by=key', 'Usage'],
  ['/weeks', 'Weeks'],
  ['/calls', 'Calls'],
  ['/refusals', 'Refused calls'],
  ['/disputes', 'Disputes'],
  ['/reconciliation', 'Reconciliation'],
  ['/prices', 'Prices'],
  ['/explorer', 'Explorer'],
  ['/budgets', 'Budgets & alerts'],
  ['/api-keys', 'API keys'],
  ['/webhooks', 'Webhooks'],
  ['/sessions', 'Team'],
  ['/invoices', 'Billing'],
] as const;

/** Pages that stay where they are while they are read. */
export function describeSteadyPages(stage: Stage): void {
  describe('while it is read', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openPortal(stage, stage.demoId);
      await visitor.page.addInitScript(MEASURE);
    }, TEST_MS);

    afterAll(() => stage.clear());

    test.each(PAGES)(
      'the page %s does not jump, at a desk or in a hand',
      async (path, heading) => {
        const { page } = visitor;
        for (const sight of [AT_A_DESK, IN_A_HAND]) {
          await visitor.look(sight);
          await page.goto(new URL(path, page.url()).href);
          await visitor.atRest(heading);
          await page.evaluate(
            'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))',
          );
          expect(await page.evaluate<number>('window.shift')).toBeLessThanOrEqual(SHIFT_MAX);
        }
      },
      TEST_MS,
    );

    test(
      'the overview has few stops of the Tab key, and a chart is one of them',
      async () => {
        const { page } = visitor;
        await visitor.look(AT_A_DESK);
        await page.goto(new URL('/', page.url()).href);
        await visitor.atRest('Overview');
        const stops = await page.evaluate<number>(STOPS);
        expect(stops).toBeGreaterThan(5);
        expect(stops).toBeLessThanOrEqual(STOPS_MAX);
        expect(await page.locator('main svg [role=button][tabindex="0"]').count()).toBe(1);
      },
      TEST_MS,
    );

    test(
      'the URLs by week are one stop of the Tab key, and arrows go to their cells',
      async () => {
        const { page } = visitor;
        await page.goto(new URL('/weeks', page.url()).href);
        await visitor.atRest('Weeks');
        const table = page.getByRole('region', { name: 'URLs by week' });
        const stop = table.locator('tbody a[tabindex="0"]');
        expect(await stop.count()).toBe(1);
        await stop.focus();
        await page.keyboard.press('ArrowDown');
        const focused = table.locator('tbody a:focus');
        expect(await focused.count()).toBe(1);
        expect(await focused.getAttribute('tabindex')).toBe('-1');
      },
      TEST_MS,
    );
  });
}

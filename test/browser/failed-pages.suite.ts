import { randomUUID } from 'node:crypto';
import { waitFor } from '../setup/wait-for.js';
import { TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { goTo } from './go-to.js';
import { openPortal } from './portal-door.js';
import { findings } from './sound-page.js';
import type { Stage } from './stage.js';

const WEEKS_CODE = '**/assets/windows-page*.js';

/** Pages whose code or answers fail, and addresses that name nothing. */
export function describeFailedPages(stage: Stage): void {
  describe('a page that fails', () => {
    let visitor: Visitor;

    beforeEach(async () => {
      visitor = await openPortal(stage, stage.demoId);
    }, TEST_MS);

    afterEach(() => stage.clear());

    test(
      'by an error of its own says so in words, with a reference, a reload and a way back',
      async () => {
        const { page } = visitor;
        await page.route('**/portal/v1/prices', (route) => route.fulfill({ json: {} }));
        // Loaded, not gone to: the first page may have read them already.
        await page.goto(new URL('/prices', page.url()).href);
        await visitor.atRest('Something went wrong');
        const main = page.getByRole('main');
        expect(await main.innerText()).not.toMatch(/undefined|is not a function|TypeError/);
        await main.getByText(/^[0-9A-F]{4}-[0-9A-F]{4}$/).waitFor();
        await main.getByText('Details', { exact: true }).click();
        await main.getByText('TypeError').waitFor();
        expect(await findings(page)).toEqual([]);
        await page.unroute('**/portal/v1/prices');
        await main.getByRole('link', { name: 'Back to the first page' }).click();
        await visitor.atRest('Overview');
        await goTo(page, 'Prices');
        await visitor.atRest('Prices');
      },
      TEST_MS,
    );

    test(
      'to come while the service is away comes by itself once it is back',
      async () => {
        const { page } = visitor;
        await goTo(page, 'Usage');
        await visitor.atRest('Usage');
        let asked = 0;
        await page.route('**/*', (route) => {
          if (route.request().method() === 'HEAD') asked += 1;
          return route.abort();
        });
        await page.getByRole('link', { name: 'Weeks', exact: true }).click();
        await waitFor('the page looks for the service', () => asked > 1);
        expect(await page.getByText('Something went wrong').count()).toBe(0);
        await page.unroute('**/*');
        await visitor.atRest('Weeks');
      },
      TEST_MS,
    );

    test(
      'to come at all is reloaded once, and then says so with a way back',
      async () => {
        const { page } = visitor;
        await page.route(WEEKS_CODE, (route) => route.abort());
        await goTo(page, 'Usage', 'Weeks');
        await visitor.atRest('Something went wrong');
        await page.getByText('A part of this page could not be fetched').waitFor();
        expect(await page.getByRole('alert').innerText()).not.toContain('/assets/');
        await page.unroute(WEEKS_CODE);
        await page.getByRole('button', { name: 'Reload the page' }).click();
        await visitor.atRest('Weeks');
      },
      TEST_MS,
    );
  });

  describe('an address that names nothing', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openPortal(stage, stage.demoId);
    }, TEST_MS);

    afterAll(() => stage.clear());

    test.each([
      ['/invoices/INV-999', 'There is no invoice INV-999'],
      ['/invoices/INV-999999', 'There is no invoice INV-999999'],
      ['/invoices/INV%20999', 'There is no invoice INV 999'],
      ['/calls?call=x', 'There is no call x'],
      [`/calls?call=${randomUUID()}`, 'There is no call'],
      ['/dashboard/brands/x', 'The running release holds no such brand'],
      ['/dashboard/categories/x', 'The running release holds no such category'],
      ['/calls?api_key_id=x', 'A filter of this page is wrong'],
      ['/no/such/page', 'There is no page at this address'],
    ])(
      'of the portal, %s, says that it is not there',
      async (address, words) => {
        const { page } = visitor;
        await page.goto(new URL(address, page.url()).href);
        await page.getByText(words).waitFor();
        expect(await findings(page)).toEqual([]);
        expect(visitor.complaints).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'of the console says that it is not there',
      async () => {
        const { page, complaints } = await openConsole(stage);
        for (const [address, words] of [
          ['invoices/INV-999', 'There is no invoice INV-999'],
          [`invoices/${randomUUID()}`, 'There is no invoice'],
          ['accounts/x', 'There is no account x'],
          [`accounts/${randomUUID()}`, 'There is no account'],
          [`accounts/${stage.demoId}/nothing`, 'There is no page at this address'],
          ['calls?call=x', 'There is no call x'],
          ['calls?account_id=x', 'A filter of this page is wrong'],
        ] as const) {
          await page.goto(`${stage.service.adminUrl}/console/${address}`);
          await page.getByText(words).first().waitFor();
        }
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );
  });
}

import { ADMIN_TOKEN } from '../setup/service.js';
import { TEST_MS, type Visitor } from './browser.js';
import { arriveAtConsole, openConsole } from './console-door.js';
import { expectSound, expectSwitchedColours, graveFindings } from './sound-page.js';
import type { Stage } from './stage.js';

/** Refusals that a page may get: there is no report before a verification was started. */
const NO_REPORT = /^404 \/admin\/v1\/verify$/;

export function describeConsolePages(stage: Stage): void {
  describe('the operator’s console', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openConsole(stage);
    }, TEST_MS);

    afterAll(() => stage.clear());

    test(
      'a wrong token is refused at its field, and what is right opens and can be left',
      async () => {
        const { page, complaints } = await arriveAtConsole(stage);
        expect(await graveFindings(page)).toEqual([]);
        const field = page.getByRole('textbox', { name: 'Admin token', exact: true });
        await field.fill('not-a-token');
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('alert').or(page.locator('[aria-invalid=true]')).first().waitFor();
        await field.fill(ADMIN_TOKEN);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
        expect(await page.evaluate<string>('document.cookie')).toBe('');
        await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
        await page.getByRole('heading', { name: 'Operator’s console' }).waitFor();
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );

    test.each([
      ['/', 'Accounts'],
      ['/rate-cards', 'Rate cards'],
      ['/releases', 'Releases'],
      ['/invoices', 'Invoices'],
      ['/exports', 'Exports'],
      ['/seller', 'Seller'],
      ['/disputes', 'Disputes'],
      ['/refusals', 'Refused calls'],
      ['/webhooks', 'Webhooks'],
      ['/live', 'Live'],
      ['/projections', 'Projections'],
      ['/verify', 'Verify'],
      ['/audit', 'Audit log'],
      ['/no/such/page', /./],
    ])(
      'the page %s is sound: no error, nothing foreign, nothing in the way',
      (path, heading) => expectSound(visitor, `/console${path}`, heading, NO_REPORT),
      TEST_MS,
    );

    test.each([
      '',
      '/credits',
      '/calls',
      '/refusals',
      '/budgets',
      '/keys',
      '/billing',
      '/invoices',
      '/emails',
      '/portal',
    ])(
      'the part %s of an account is sound',
      (part) => expectSound(visitor, `/console/accounts/${stage.demoId}${part}`, 'Demo account'),
      TEST_MS,
    );

    test('colours are switched on an open page', () => expectSwitchedColours(visitor), TEST_MS);
  });
}

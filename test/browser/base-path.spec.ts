import type { Browser } from 'playwright-core';
import { ADMIN_TOKEN, ServiceClient, type Customer } from '../setup/service.js';
import { ProxiedService } from '../setup/proxied-service.js';
import { describeInBrowser, START_MS, startBrowser, TEST_MS, Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { goTo } from './go-to.js';
import { openPortal } from './portal-door.js';

const COMPANY = 'Sign in with your company account';

describeInBrowser('pages behind a proxy that takes their path away', () => {
  let browser: Browser;
  let proxied: ProxiedService;
  let outside: ServiceClient;
  let customer: Customer;

  beforeAll(async () => {
    [browser, proxied] = await Promise.all([startBrowser(), ProxiedService.start()]);
    outside = new ServiceClient(proxied.urls.BASE_URL, proxied.urls.ADMIN_URL);
    customer = await outside.customer(1_000);
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await proxied?.stop();
  });

  /** Goes to a page by the menu, and comes back to it by its address. */
  async function visit(visitor: Visitor, entry: string, heading: string, address: string) {
    const { page } = visitor;
    await goTo(page, entry);
    await visitor.atRest(heading);
    expect(page.url()).toBe(address);
    await page.reload();
    await visitor.atRest(heading);
    expect(page.url()).toBe(address);
  }

  it(
    'of the portal open, are gone between, follow what happens, and stay signed in',
    async () => {
      const { PORTAL_URL } = proxied.urls;
      const visitor = await openPortal({ browser, service: outside }, customer.accountId);
      const live = visitor.page.waitForResponse(`${PORTAL_URL}/portal/v1/events`);
      await visit(visitor, 'Calls', 'Calls', `${PORTAL_URL}/calls`);
      expect((await live).status()).toBe(200);
      await visit(visitor, 'Billing', 'Billing', `${PORTAL_URL}/invoices`);
      const [cookie] = await visitor.page.context().cookies(PORTAL_URL);
      expect(cookie).toMatchObject({ name: 'popindex-portal', path: '/my' });
      expect([visitor.complaints, visitor.refusals]).toEqual([[], []]);
      await visitor.leave();
    },
    TEST_MS,
  );

  it(
    'of the console open, are gone between, and are left',
    async () => {
      const { ADMIN_URL } = proxied.urls;
      const visitor = await openConsole({ browser, service: outside }, ADMIN_TOKEN);
      await visit(visitor, 'Accounts', 'Accounts', `${ADMIN_URL}/console/accounts`);
      await visit(visitor, 'Billing', 'Invoices', `${ADMIN_URL}/console/invoices`);
      expect([visitor.complaints, visitor.refusals]).toEqual([[], []]);
      await visitor.leave();
    },
    TEST_MS,
  );

  it(
    'are come back to from the company account',
    async () => {
      const { ADMIN_URL } = proxied.urls;
      proxied.people.person = { sub: 'nadja', name: 'Nadja Novak', roles: ['billing'] };
      const visitor = await Visitor.arrive(browser);
      await visitor.page.goto(`${ADMIN_URL}/console/invoices`);
      await visitor.page.getByRole('link', { name: COMPANY }).click();
      await visitor.atRest('Invoices');
      expect(visitor.page.url()).toBe(`${ADMIN_URL}/console/invoices`);
      await visitor.page.getByText('Nadja Novak').first().waitFor();
      await visitor.leave();
    },
    TEST_MS,
  );
});

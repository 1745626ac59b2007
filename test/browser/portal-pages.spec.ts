import type { Browser } from 'playwright-core';
import { Service } from '../setup/service.js';
import { graveFindings } from './accessibility.js';
import { describeInBrowser, startBrowser, Visitor } from './browser.js';
import { openPortal, portalLink } from './portal-door.js';

const TRENDS = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

/** Each as it is looked at: on a desk and in a hand, by day and by night. */
const SIGHTS = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const;

/** What a page may be refused: it asks for the price of what is not paid for. */
const PRICES = /^412 \/portal\/v1\/views$/;

describeInBrowser('the pages of the portal', () => {
  let browser: Browser;
  let service: Service;
  let demoId: string;
  let visitor: Visitor;

  beforeAll(async () => {
    [browser, service] = await Promise.all([startBrowser(), Service.start()]);
    const { body } = await service.admin('/accounts');
    const accounts = body['items'] as { id: string; name: string }[];
    demoId = accounts.find(({ name }) => name === 'Demo account')?.id ?? '';
    visitor = await openPortal(browser, service, demoId);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('a link opens the portal once, and does not stay in the address', async () => {
    const link = await portalLink(service, demoId, 'viewer');
    const [first, second] = [await Visitor.arrive(browser), await Visitor.arrive(browser)];
    await first.page.goto(link);
    await first.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(first.page.url()).toBe(`${new URL(link).origin}/`);
    await first.page.getByText('view only').first().waitFor();
    await second.page.goto(link);
    await second.page.getByRole('heading', { name: 'Open the portal with a link' }).waitFor();
    expect(await graveFindings(second.page)).toEqual([]);
    expect([...first.complaints, ...second.complaints]).toEqual([]);
    await Promise.all([first.leave(), second.leave()]);
  });

  /** Opens an address and looks at it from all sides. */
  async function expectGood(path: string, heading: string | RegExp): Promise<void> {
    const { page } = visitor;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(SIGHTS[0]);
    await page.goto(new URL(path, page.url()).href);
    await visitor.atRest(heading);
    for (const { width, height, colorScheme } of SIGHTS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      const found = await graveFindings(page);
      expect([width, colorScheme, found]).toEqual([width, colorScheme, []]);
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      expect([width, await page.evaluate<number>(overflow)]).toEqual([width, 0]);
    }
    expect(visitor.complaints.splice(0)).toEqual([]);
    expect(visitor.refusals.splice(0).filter((refusal) => !PRICES.test(refusal))).toEqual([]);
  }

  test.each([
    ['/', 'Overview'],
    ['/windows', 'Windows'],
    ['/usage', 'Usage'],
    ['/calls', 'Calls'],
    ['/explorer', 'Explorer'],
    ['/quote', 'Quote'],
    ['/budgets', 'Budgets & alerts'],
    ['/api-keys', 'API keys'],
    ['/webhooks', 'Webhooks'],
    ['/invoices', 'Invoices'],
    ['/no/such/page', /./],
  ])('the page %s is sound: no error, nothing foreign, nothing in the way', expectGood);

  test('a call that is explained and an invoice with its calls are sound too', async () => {
    const { body: calls } = await service.admin(`/accounts/${demoId}/calls?limit=1`);
    const [{ call_id: callId = '' } = {}] = calls['items'] as { call_id?: string }[];
    await expectGood(`/calls?call=${callId}`, 'Calls');
    const { body: invoices } = await service.admin(`/invoices?account_id=${demoId}`);
    const [{ number = '' } = {}] = invoices['items'] as { number?: string }[];
    await expectGood(`/invoices/${number}`, `Invoice ${number}`);
  });

  test('the dashboards that answers link to open with a session, and show nothing without', async () => {
    const customer = await service.customer(1_000);
    const { text } = await customer.get(TRENDS);
    const [, link = ''] = /"dashboard":"([^"]+)"/.exec(text) ?? [];
    const { pathname, search } = new URL(link, visitor.page.url());
    await expectGood(pathname + search, /./);
    const stranger = await Visitor.arrive(browser);
    await stranger.page.goto(new URL(pathname + search, visitor.page.url()).href);
    await stranger.page.getByRole('heading', { name: 'Open the portal with a link' }).waitFor();
    expect(stranger.refusals).toEqual(['401 /portal/v1/session']);
    await stranger.leave();
  });
});

import type { Browser } from 'playwright-core';
import { Service } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';
import { describeInBrowser, SIGHTS, START_MS, startBrowser, TEST_MS, Visitor } from './browser.js';
import { openPortal, portalLink } from './portal-door.js';
import { expectSound, graveFindings } from './sound-page.js';

const TRENDS = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

/** What a page may be refused: it asks for the price of what is not paid for. */
const PRICES = /^412 \/portal\/v1\/views$/;

describeInBrowser('the pages of the portal', () => {
  let browser: Browser;
  let service: Service;
  let demoId: string;
  let visitors: Visitor[];

  beforeAll(async () => {
    [browser, service] = await Promise.all([startBrowser(), Service.start()]);
    const { body } = await service.admin('/accounts');
    const accounts = body['items'] as { id: string; name: string }[];
    demoId = accounts.find(({ name }) => name === 'Demo account')?.id ?? '';
    const opened = SIGHTS.map((sight) => openPortal(browser, service, demoId, sight));
    visitors = await Promise.all(opened);
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test(
    'a link opens the portal once, and does not stay in the address',
    async () => {
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
    },
    TEST_MS,
  );

  test(
    'whatever a page must not do is noticed',
    async () => {
      const { page, complaints } = await openPortal(browser, service, demoId);
      await page.evaluate(`{
        const picture = document.createElement('img');
        picture.src = 'http://127.0.0.1:9/pixel.png';
        document.body.append(picture);
        setTimeout(() => { throw new Error('thrown by a page'); });
      }`);
      await waitFor('the complaints', () => complaints.join().includes('thrown by a page'));
      await waitFor('the policy', () => complaints.join().includes('Policy: img-src'));
      expect(await graveFindings(page)).toEqual([expect.stringContaining('image-alt')]);
      await page.context().close();
    },
    TEST_MS,
  );

  /** Opens an address as everybody looks at it, one after the other. */
  async function expectGood(path: string, heading: string | RegExp): Promise<void> {
    for (const visitor of visitors) await expectSound(visitor, path, heading, PRICES);
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
  ])('the page %s is sound: no error, nothing foreign, nothing in the way', expectGood, TEST_MS);

  test(
    'a call that is explained and an invoice with its calls are sound too',
    async () => {
      const { body: calls } = await service.admin(`/accounts/${demoId}/calls?limit=1`);
      const [{ call_id: callId = '' } = {}] = calls['items'] as { call_id?: string }[];
      await expectGood(`/calls?call=${callId}`, 'Calls');
      const { body: invoices } = await service.admin(`/invoices?account_id=${demoId}`);
      const [{ number = '' } = {}] = invoices['items'] as { number?: string }[];
      await expectGood(`/invoices/${number}`, `Invoice ${number}`);
    },
    TEST_MS,
  );

  test(
    'the dashboards that answers link to open with a session, and show nothing without',
    async () => {
      const customer = await service.customer(1_000);
      const { text } = await customer.get(TRENDS);
      const [, link = ''] = /"dashboard":"([^"]+)"/.exec(text) ?? [];
      const { pathname, search } = new URL(link);
      await expectGood(pathname + search, 'Beauty');
      const stranger = await Visitor.arrive(browser);
      await stranger.page.goto(new URL(pathname + search, visitors[0]?.page.url()).href);
      await stranger.page.getByRole('heading', { name: 'Open the portal with a link' }).waitFor();
      expect(stranger.refusals).toEqual(['401 /portal/v1/session']);
      await stranger.leave();
    },
    TEST_MS,
  );
});

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { ADMIN_TOKEN, Service } from '../setup/service.js';
import { describeInBrowser, SIGHTS, START_MS, startBrowser, TEST_MS, Visitor } from './browser.js';
import { expectSound, graveFindings } from './sound-page.js';

const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

/** What a page may be refused: there is no report before somebody has asked for one. */
const NO_REPORT = /^404 \/admin\/v1\/verify$/;

describeInBrowser('the operator’s console', () => {
  let browser: Browser;
  let service: Service;
  let demoId: string;
  let visitors: Visitor[];

  beforeAll(async () => {
    [browser, service] = await Promise.all([startBrowser(), Service.start()]);
    const { body } = await service.admin('/accounts');
    const accounts = body['items'] as { id: string; name: string }[];
    demoId = accounts.find(({ name }) => name === 'Demo account')?.id ?? '';
    visitors = await Promise.all(SIGHTS.map((sight) => signIn(ADMIN_TOKEN, sight)));
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function arrive(sight: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await Visitor.arrive(browser, sight);
    await visitor.page.goto(`${service.adminUrl}/console/`);
    await visitor.page.getByRole('heading', { name: 'Operator’s console' }).waitFor();
    return visitor;
  }

  async function signIn(token: string, sight: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await arrive(sight);
    const { page } = visitor;
    await page.getByRole('textbox', { name: 'Admin token' }).fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(visitor.refusals.splice(0)).toEqual(['401 /admin/v1/session']);
    return visitor;
  }

  test(
    'a wrong token is refused at its field, and what is right opens and can be left',
    async () => {
      const { page, complaints } = await arrive();
      expect(await graveFindings(page)).toEqual([]);
      const field = page.getByRole('textbox', { name: 'Admin token' });
      await field.fill('not-a-token');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').or(page.locator('[aria-invalid=true]')).first().waitFor();
      await field.fill(ADMIN_TOKEN);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
      expect(await page.evaluate<string>('document.cookie')).toBe('');
      await page.getByRole('button', { name: 'Sign out' }).first().click();
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
    ['/webhooks', 'Webhooks'],
    ['/live', 'Live'],
    ['/projections', 'Projections'],
    ['/verify', 'Verify'],
    ['/audit', 'Audit log'],
    ['/no/such/page', /./],
  ])(
    'the page %s is sound: no error, nothing foreign, nothing in the way',
    async (path, heading) => {
      for (const visitor of visitors) {
        await expectSound(visitor, `/console${path}`, heading, NO_REPORT);
      }
    },
    TEST_MS,
  );

  test.each(['', '/credits', '/calls', '/budgets', '/keys', '/billing', '/invoices', '/portal'])(
    'the part %s of an account is sound',
    async (part) => {
      const path = `/console/accounts/${demoId}${part}`;
      for (const visitor of visitors) await expectSound(visitor, path, 'Demo account');
    },
    TEST_MS,
  );

  test(
    'support looks at everything and is told why it changes nothing',
    async () => {
      const body = { name: 'Help desk', role: 'support' };
      const { body: issued } = await service.admin('/admin-tokens', body);
      const { page } = await signIn(String(issued['token']));
      await page.getByText('view only').first().waitFor();
      expect(await page.getByRole('button', { name: 'New account' }).isDisabled()).toBe(true);
      await page.goto(`${service.adminUrl}/console/invoices`);
      const run = page.getByRole('button', { name: 'Issue what is due' });
      await run.waitFor();
      expect([await run.isDisabled(), await run.getAttribute('title')]).toEqual([
        true,
        expect.stringContaining('support'),
      ]);
    },
    TEST_MS,
  );

  test(
    'a card is drawn up, tried on the last month, and published for next week',
    async () => {
      const customer = await service.customer(1_000);
      await customer.get(TOP_5);
      const [{ page, complaints }] = visitors as [Visitor];
      await page.goto(`${service.adminUrl}/console/rate-cards`);
      await page.getByRole('button', { name: 'New card from this one' }).first().click();
      const cost = page.getByRole('textbox', { name: 'Credits of every call' });
      await cost.fill('');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.locator('[aria-invalid=true]').first().waitFor();
      await cost.fill('20');
      await page.getByRole('region', { name: 'Changes' }).getByText('every call').waitFor();
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByText('Would have cost').first().waitFor();
      await page.getByRole('button', { name: 'Publish the card' }).click();
      await page.getByRole('button', { name: 'Publish it' }).click();
      await page.getByText('20 credits a call.').waitFor();
      await page.getByText('next window').waitFor();
      expect(complaints.splice(0)).toEqual([]);
    },
    TEST_MS,
  );

  test(
    'a run of a month says what it issued, and a second one issues nothing twice',
    async () => {
      const [{ page }] = visitors as [Visitor];
      await page.goto(`${service.adminUrl}/console/invoices`);
      const run = page.getByRole('button', { name: 'Issue what is due' });
      await run.click();
      await page.getByText(/\d+ invoices? issued, \d+ skipped, 0 failed/).waitFor();
      await run.click();
      await page.getByText(/^0 invoices issued, \d+ skipped, 0 failed/).waitFor();
    },
    TEST_MS,
  );
});

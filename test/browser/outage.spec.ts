import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { ADMIN_TOKEN, Service } from '../setup/service.js';
import { ServiceProcess } from '../setup/service-process.js';
import { describeInBrowser, START_MS, startBrowser, TEST_MS } from './browser.js';
import { openPortal } from './portal-door.js';

const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

describeInBrowser('a service that goes away', () => {
  let browser: Browser;
  let service: Service;
  let dataDir: string;

  beforeAll(async () => {
    [browser, service] = await Promise.all([startBrowser(), Service.start()]);
    dataDir = await mkdtemp(path.join(tmpdir(), 'popindex-outage-'));
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  });

  /** The same service once more, where it was before. */
  async function again(portalUrl: string): Promise<ServiceProcess> {
    const settings = {
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: dataDir,
      ADMIN_TOKEN,
      API_PORT: new URL(service.apiUrl).port,
      ACCOUNTING_PORT: new URL(service.adminUrl).port,
      PORTAL_PORT: new URL(portalUrl).port,
      DEMO: 'true',
    };
    return ServiceProcess.spawn('standalone', settings, service.apiUrl).ready();
  }

  test(
    'an open page says so, and goes on by itself once it is back',
    async () => {
      const customer = await service.customer(1_000);
      const { page, complaints } = await openPortal(browser, service, customer.accountId);
      const side = page.locator('aside');
      await side.getByText('Live', { exact: true }).waitFor();
      await service.process.stop();
      await side.getByText('Reconnecting …').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

      const successor = await again(page.url());
      await side.getByText('Live', { exact: true }).waitFor();
      expect((await customer.get(TOP_5)).status).toBe(200);
      await page.locator('dl').getByText('965', { exact: true }).waitFor();
      expect(complaints).toEqual([]);
      await successor.stop();
    },
    TEST_MS,
  );
});

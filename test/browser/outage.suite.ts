import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ADMIN_TOKEN } from '../setup/service.js';
import { ServiceProcess } from '../setup/service-process.js';
import { TEST_MS } from './browser.js';
import { openPortal } from './portal-door.js';
import type { Stage } from './stage.js';

const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

/** The last of its file: nothing of the service is left behind it. */
export function describeOutage(stage: Stage): void {
  describe('a service that goes away', () => {
    let dataDir: string;
    let successor: ServiceProcess | undefined;

    beforeAll(async () => {
      dataDir = await mkdtemp(path.join(tmpdir(), 'popindex-outage-'));
    });

    afterAll(async () => {
      await successor?.stop();
      await rm(dataDir, { recursive: true, force: true });
    });

    /** The same service once more, where it was before. */
    async function again(portalUrl: string): Promise<ServiceProcess> {
      const { apiUrl, adminUrl, databaseUrl } = stage.service;
      const settings = {
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        ADMIN_TOKEN,
        API_PORT: new URL(apiUrl).port,
        ACCOUNTING_PORT: new URL(adminUrl).port,
        PORTAL_PORT: new URL(portalUrl).port,
        DEMO: 'true',
      };
      return ServiceProcess.spawn('standalone', settings, apiUrl).ready();
    }

    test(
      'an open page says so, and goes on by itself once it is back',
      async () => {
        const customer = await stage.service.customer(1_000);
        const { accountId } = customer;
        const { page, complaints } = await openPortal(stage, accountId);
        const side = page.locator('aside');
        await side.getByText('Live', { exact: true }).waitFor();
        await stage.service.process.stop();
        await side.getByText('Reconnecting …').waitFor();
        await page.getByText(/^Figures are as of /).waitFor();
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

        successor = await again(page.url());
        await side.getByText('Live', { exact: true }).waitFor();
        expect((await customer.get(TOP_5)).status).toBe(200);
        await page.locator('dl').getByText('965', { exact: true }).waitFor();
        expect(await page.getByText(/^Figures are as of /).count()).toBe(0);
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );
  });
}

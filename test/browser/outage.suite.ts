import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ADMIN_TOKEN } from '../setup/service.js';
import { ServiceProcess } from '../setup/service-process.js';
import { IN_A_HAND, TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
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
      'open pages say how old their figures are, on phones and in the console too, until it is back',
      async () => {
        const customer = await stage.service.customer(1_000);
        const { accountId } = customer;
        const visitor = await openPortal(stage, accountId);
        const { page } = visitor;
        const [phone, operator] = [await openPortal(stage, accountId), await openConsole(stage)];
        await phone.look(IN_A_HAND);
        const side = page.locator('aside');
        await side.getByText('Live', { exact: true }).waitFor();
        await stage.service.process.stop();
        await side.getByText('Reconnecting …').waitFor();
        const all = [visitor, phone, operator];
        const age = (of: Visitor) => of.page.getByText(/^Figures are as of /);
        await Promise.all(all.map((each) => age(each).waitFor()));
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

        successor = await again(page.url());
        await side.getByText('Live', { exact: true }).waitFor();
        expect((await customer.get(TOP_5)).status).toBe(200);
        await page.locator('dl').getByText('965', { exact: true }).waitFor();
        await Promise.all(all.map((each) => age(each).waitFor({ state: 'detached' })));
        expect(all.flatMap(({ complaints }) => complaints)).toEqual([]);
      },
      TEST_MS,
    );
  });
}

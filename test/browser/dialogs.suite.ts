import type { Locator, Page } from 'playwright-core';
import { AT_A_DESK, IN_A_HAND, TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { openPortal } from './portal-door.js';
import { expectSights } from './sound-page.js';
import type { Stage } from './stage.js';

const TRENDS = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const SIGHTS = [AT_A_DESK, IN_A_HAND];

export function describeDialogs(stage: Stage): void {
  describe('what opens over a page is sound', () => {
    let operator: Visitor;
    let manager: Visitor;
    let account: string;

    beforeAll(async () => {
      const customer = await stage.service.customer(1_000);
      await customer.get(TRENDS);
      await customer.get(TRENDS);
      account = `/accounts/${customer.accountId}`;
      const { body } = await stage.service.admin(`${account}/calls?kind=base`);
      const [{ call_id: id = '' } = {}] = body['items'] as { call_id?: string }[];
      await stage.service.admin(`${account}/disputes`, { call_ids: [id], reason: 'Too much.' });
      manager = await openPortal(stage, customer.accountId);
      operator = await openConsole(stage);
    }, TEST_MS);

    afterAll(() => stage.clear());

    const press = (within: Page | Locator, name: string) =>
      within.getByRole('button', { name, exact: true }).first().click();

    async function expectSoundDialog(visitor: Visitor, name: string): Promise<void> {
      const { page } = visitor;
      const dialog = page.getByRole('dialog', { name, exact: true });
      const isLoading = dialog.locator('[aria-label="Loading"]').first();
      await expectSights(visitor, SIGHTS, async () => {
        await dialog.waitFor();
        await isLoading.waitFor({ state: 'detached' });
      });
      await visitor.look(AT_A_DESK);
      expect([...visitor.complaints.splice(0), ...visitor.refusals.splice(0)]).toEqual([]);
    }

    test.each([
      ['/accounts', 'New account', 'Open an account'],
      ['/billing', 'Change', 'Change the terms'],
      ['/credits', 'Grant credits', 'Grant credits'],
      ['/keys', 'New key', 'New API key'],
      ['/disputes', 'Give back', 'Give these calls back'],
      ['/disputes', 'Explain', 'Answer without giving back'],
    ])(
      'of the console’s %s: %s',
      async (path, button, name) => {
        const { page } = operator;
        const own = /accounts|disputes/.test(path) ? path : `${account}${path}`;
        await page.goto(`${stage.service.adminUrl}/console${own}`);
        await press(page, button);
        await expectSoundDialog(operator, name);
      },
      TEST_MS,
    );

    test(
      'of the portal: a new key, and a call with its receipt, before and after it is disputed',
      async () => {
        const { page } = manager;
        await page.goto(new URL('/api-keys', page.url()).href);
        await press(page, 'New key');
        await page.getByRole('checkbox', { name: 'Change the account', exact: true }).check();
        await expectSoundDialog(manager, 'New API key');

        await page.goto(new URL('/calls', page.url()).href);
        await page.locator('tbody button').first().click();
        const drawer = page.getByRole('dialog', { name: 'Why did this cost that?' });
        await drawer.getByText('Proof', { exact: true }).click();
        await drawer.getByRole('button', { name: 'Signed receipt', exact: true }).waitFor();
        await press(drawer, 'Dispute this call');
        await expectSoundDialog(manager, 'Why did this cost that?');
        await page.keyboard.press('Escape');
        await page.locator('tbody button').nth(1).click();
        await drawer.getByText('Too much.').waitFor();
        await expectSoundDialog(manager, 'Why did this cost that?');
      },
      TEST_MS,
    );
  });
}

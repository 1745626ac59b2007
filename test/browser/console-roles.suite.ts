import type { Page } from 'playwright-core';
import { ask } from '../setup/service.js';
import { TEST_MS } from './browser.js';
import { openConsole } from './console-door.js';
import { expectSoon } from './expect-soon.js';
import { goTo } from './go-to.js';
import { actWithReason, faultyFields, fillIn, send } from './forms.js';
import type { Stage } from './stage.js';

/** Pages by the entries of the menu. */
const CUSTOMERS = {
  Overview: ['Overview'],
  Accounts: ['Accounts'],
  Calls: ['Calls', 'Refused calls', 'Disputes'],
  Billing: ['Invoices', 'Exports', 'Seller'],
  'Rate cards': ['Rate cards'],
};
const SERVICE = { Service: ['Service', 'Webhooks'] };
const RELEASES = { Releases: ['Releases'] };

export function describeRoles(stage: Stage): void {
  describe('the roles of operators', () => {
    afterEach(() => stage.clear());

    async function issued(role: string): Promise<{ id: string; token: string }> {
      const { body } = await stage.service.admin('/admin-tokens', { name: `The ${role}`, role });
      return { id: String(body['id']), token: String(body['token']) };
    }

    /** The status of a request as a page makes it. */
    const asked = (page: Page, method: string, path: string): Promise<number> =>
      page.evaluate<number>(
        `fetch('/admin/v1${path}', { method: '${method}', body: '{}',
         headers: { 'content-type': 'application/json', 'x-requested-with': 'console' } })
         .then(({ status }) => status)`,
      );

    test.each([
      {
        role: 'support',
        pages: { ...CUSTOMERS, ...RELEASES, ...SERVICE, Security: ['Audit log', 'Operators'] },
        refused: ['POST', '/accounts'],
      },
      {
        role: 'billing',
        pages: { ...CUSTOMERS, ...SERVICE, Security: ['Audit log'] },
        refused: ['POST', '/admin-tokens'],
      },
      {
        role: 'data',
        pages: { ...RELEASES, Service: ['Service'] },
        refused: ['POST', '/invoice-runs'],
      },
    ])(
      'to $role the pages are offered that it may read, and the rest is refused',
      async ({ role, pages, refused: [method = '', path = ''] }) => {
        const { token } = await issued(role);
        const visitor = await openConsole(stage, token);
        const { page } = visitor;
        const links = page.locator('aside').getByRole('navigation').getByRole('link');
        await expectSoon(() => links.allInnerTexts(), Object.keys(pages));
        for (const [entry, tabs] of Object.entries<readonly string[]>(pages)) {
          for (const tab of tabs) {
            await goTo(page, entry, tabs.length > 1 ? tab : undefined);
            await visitor.atRest(tab);
          }
        }
        expect(visitor.refusals.filter((refusal) => refusal.startsWith('403'))).toEqual([]);
        expect(await asked(page, method, path)).toBe(403);
        expect(visitor.complaints).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'a page that is not offered is refused in words where its address is typed',
      async () => {
        const { page } = await openConsole(stage, (await issued('billing')).token);
        await page.goto(`${stage.service.adminUrl}/console/releases`);
        await page.getByRole('alert').getByText('role billing').waitFor();
      },
      TEST_MS,
    );

    test(
      'an owner issues a token on the page of operators, and whoever uses it is refused once it is revoked',
      async () => {
        const { page } = await openConsole(stage);
        await page.goto(`${stage.service.adminUrl}/console/operators`);
        await page.getByRole('button', { name: 'New token', exact: true }).click();
        const form = page.getByRole('dialog', { name: 'New admin token' });
        await form.getByRole('button', { name: 'Issue the token', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['Name']);
        await fillIn(form, { Name: 'Nadja' });
        await send(form, 'Issue the token');
        const shown = page.getByRole('dialog', { name: 'Admin token “Nadja”' });
        const token = await shown.locator('code').innerText();
        await send(shown, 'I have stored it');
        const status = async () =>
          (await ask(`${stage.service.adminUrl}/admin/v1/accounts`, token)).status;
        expect(await status()).toBe(200);
        const row = page.getByRole('row', { name: 'Nadja' });
        await row.getByText('support', { exact: true }).waitFor();
        const revoke = row.getByRole('button', { name: 'Revoke', exact: true });
        await actWithReason(page, revoke, { confirm: 'Revoke it', reason: 'Nadja has left.' });
        await row.getByText('revoked', { exact: true }).waitFor();
        expect(await status()).toBe(401);
        expect(await page.content()).not.toContain(token);
      },
      TEST_MS,
    );

    test(
      'support sees why it changes nothing, and billing changes what it may',
      async () => {
        const support = await openConsole(stage, (await issued('support')).token);
        await support.page.getByText('view only').first().waitFor();
        await support.page.goto(`${stage.service.adminUrl}/console/accounts`);
        const disabled = support.page.getByRole('button', { name: 'New account', exact: true });
        await expectSoon(
          async () => [await disabled.isDisabled(), await disabled.getAttribute('title')],
          [true, expect.stringContaining('support')],
        );

        const billing = await openConsole(stage, (await issued('billing')).token);
        await billing.page.goto(`${stage.service.adminUrl}/console/accounts`);
        await billing.page.getByRole('button', { name: 'New account', exact: true }).click();
        const form = billing.page.getByRole('dialog');
        await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Opened by billing');
        await form.getByRole('button', { name: 'Open the account', exact: true }).click();
        await billing.atRest('Opened by billing');
      },
      TEST_MS,
    );

    test(
      'a token that is revoked is out with the next thing it asks for',
      async () => {
        const { id, token } = await issued('support');
        const { page } = await openConsole(stage, token);
        await stage.service.admin(`/admin-tokens/${id}`, undefined, 'DELETE');
        // The overview asks again by itself, and may be the first.
        const link = page.locator('aside').getByRole('link', { name: 'Security', exact: true });
        await link.click({ timeout: 2_000 }).catch(() => undefined);
        await page.getByRole('heading', { name: 'Operator’s console' }).waitFor();
        await expectSoon(() => page.getByText('Demo account').count(), 0);
      },
      TEST_MS,
    );
  });
}

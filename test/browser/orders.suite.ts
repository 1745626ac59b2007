import { TEST_MS } from './browser.js';
import { openConsole } from './console-door.js';
import { send } from './forms.js';
import { goTo } from './go-to.js';
import { openPortal } from './portal-door.js';
import type { Stage } from './stage.js';

const PACKAGE = { name: 'Starter', credits: 100_000, price: 120_000, currency: 'USD' };
const BUYER = {
  name: 'Nova GmbH',
  address: { line1: 'Ring 2', city: 'Wien', postcode: '1010', country: 'AT' },
  email: 'books@example.com',
  tax: { category: 'S', rate_percent: 20 },
};

/** Tests of credits that a customer orders, an operator grants, and an invoice bills. */
export function describeOrders(stage: Stage): void {
  describe('a customer without credits', () => {
    afterEach(() => stage.clear());

    test(
      'orders a package with its tax; accepted it is on the account, with an invoice to pay',
      async () => {
        const { accountId } = await stage.service.customer(0, { currency: 'USD' }, BUYER);
        const { body: seller } = await stage.service.admin('/seller');
        const offer = { ...seller, packages: [PACKAGE], orders: 'approve' };
        await stage.service.admin('/seller', offer, 'PUT');
        const { page, complaints } = await openPortal(stage, accountId);
        await page.getByRole('link', { name: 'Get credits' }).first().click();
        await page.getByText('US$1,440.00').waitFor();
        await page.getByRole('button', { name: 'Order', exact: true }).click();
        await send(page.getByRole('dialog', { name: 'Order “Starter”' }), 'Order for US$1,440.00');
        await page.getByText('Your order of “Starter” waits for your provider').waitFor();

        const operator = await openConsole(stage);
        const credits = `${stage.service.adminUrl}/console/accounts/${accountId}/credits`;
        await operator.page.goto(credits);
        await operator.page.getByRole('button', { name: 'Accept', exact: true }).click();
        const question = operator.page.getByRole('dialog');
        await question.getByText('its balance goes from 0 to 100,000').waitFor();
        await question.getByText('US$1,440.00, US$240.00 tax included').waitFor();
        await send(question, 'Accept it');

        await page.getByText('waits for your provider').waitFor({ state: 'detached' });
        const pay = page.getByRole('heading', { name: /^Pay invoice INV-\d+$/ });
        await pay.waitFor();
        const number = (await pay.innerText()).replace('Pay invoice ', '');
        await page.getByRole('button', { name: 'Copy reference', exact: true }).waitFor();
        await goTo(page, 'Billing', 'Invoices');
        await page.getByRole('link', { name: number, exact: true }).waitFor();
        for (const one of [complaints, operator.complaints]) expect(one).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'reads whom to write to where no package is offered',
      async () => {
        const { accountId } = await stage.service.customer(0, { currency: 'JPY' });
        const { page, complaints } = await openPortal(stage, accountId);
        await goTo(page, 'Billing', 'Get credits');
        const mail = page.getByRole('link', { name: /@/ });
        expect(await mail.getAttribute('href')).toMatch(/^mailto:[^?]+@/);
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );
  });
}

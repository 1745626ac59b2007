import { ask } from '../setup/service.js';
import { TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { faultyFields, fillIn } from './forms.js';
import { findings } from './sound-page.js';
import type { Stage } from './stage.js';

const ADDRESS = { Street: 'Rue de Rivoli 1', Postcode: '75001', Country: 'FR' };

export function describeNewCustomer(stage: Stage): void {
  describe('the form of a new customer', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openConsole(stage);
    }, TEST_MS);

    afterAll(() => stage.clear());

    const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });

    const opens = async (key: string): Promise<number> =>
      (await ask(`${stage.service.apiUrl}/v1/account`, key)).status;

    test(
      'makes all of a customer, and goes on where a part of it was refused',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/`);
        await button('New customer').click();
        const form = page.getByRole('main');
        await fillIn(form, {
          'Name, also on invoices': 'Nova Labs',
          Credits: '1000000',
          'Price, net': '1200.50',
          ...ADDRESS,
          'E-mail for invoices': 'ap@nova.example.com',
          'Invite to the portal (optional)': 'nadja@nova.example.com',
        });
        await form.getByText('= US$1,200.50').waitFor();
        expect(await findings(page)).toEqual([]);
        await button('Make the customer').click();
        await form.getByText('Done: the account is open.').waitFor();
        expect(await faultyFields(page)).toEqual(['City']);
        visitor.complaints.length = 0;
        await fillIn(form, { City: 'Paris' });
        await button('Make the customer').click();
        await form.getByText('Nova Labs is a customer').waitFor();
        const line = await form.locator('code').filter({ hasText: 'curl' }).innerText();
        const [, key = ''] = /Bearer (\S+)'/.exec(line) ?? [];
        expect(await opens(key)).toBe(200);
        await form.getByText('No mail was sent').waitFor();
        // Sellers without an address hold it; the form that completes it stands beside.
        await form
          .getByText(/is held|is issued/)
          .first()
          .waitFor();
        expect(await findings(page)).toEqual([]);
        const { body } = await stage.service.admin('/accounts?search=Nova%20Labs');
        expect(body['items']).toMatchObject([{ balance: 1_000_000 }]);
      },
      TEST_MS,
    );
  });
}

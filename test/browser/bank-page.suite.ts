import { TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { findings } from './sound-page.js';
import type { Stage } from './stage.js';

export function describeBankPage(stage: Stage): void {
  describe('the page of bank statements', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openConsole(stage);
    }, TEST_MS);

    afterAll(() => stage.clear());

    test(
      'a statement of a bank is uploaded, what is proposed is booked, and not twice',
      async () => {
        const { page } = visitor;
        const { body: account } = await stage.service.admin('/accounts', {
          name: 'Statement & Co',
          currency: 'EUR',
        });
        const billing = {
          name: 'Statement & Co',
          address: { line1: '1 High Street', city: 'Leeds', postcode: 'LS1 1AA', country: 'GB' },
          email: 'accounts@statement.example',
          tax: { category: 'O', rate_percent: 0 },
        };
        const path = `/accounts/${String(account['id'])}`;
        await stage.service.admin(`${path}/billing`, billing, 'PUT');
        const grant = { credits: 10, kind: 'purchased', price: 12_345 };
        const { body: sold } = await stage.service.admin(`${path}/grants`, grant);
        const number = String(sold['invoice_number']);
        const today = new Date().toISOString().slice(0, 10);
        const rows = [
          'date;amount;currency;reference;name;id',
          `${today};123,45;EUR;${number};Statement & Co;B1`,
          `${today};9,00;EUR;Thanks;Somebody;B2`,
        ];
        const file = {
          name: 'bank.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(rows.join('\n')),
        };
        await page.goto(`${stage.service.adminUrl}/console/bank`);
        await visitor.atRest('Bank statements');
        await page.locator('input[type=file]').setInputFiles(file);
        await page.getByRole('link', { name: number }).waitFor();
        expect(await findings(page)).toEqual([]);
        await page.getByRole('button', { name: 'Book 1 payment: €123.45', exact: true }).click();
        await page.getByText('1 payment booked: €123.45').waitFor();
        await page.getByRole('button', { name: 'Nothing is chosen', exact: true }).waitFor();
        await page.locator('input[type=file]').setInputFiles(file);
        await page.getByText('It is booked.').waitFor();
        await page.getByRole('button', { name: 'Nothing is chosen', exact: true }).waitFor();
        const { body } = await stage.service.admin(`/invoices/${number}`);
        expect(body['state']).toMatchObject({ status: 'paid', due: 0 });
        expect(visitor.complaints.splice(0)).toEqual([]);
      },
      TEST_MS,
    );
  });
}

import type { Locator } from 'playwright-core';
import { ask, type Customer } from '../setup/service.js';
import { TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { openPortal } from './portal-door.js';
import { expectSoon } from './expect-soon.js';
import { goTo } from './go-to.js';
import { actWithReason, expectStated, faultyFields, fillIn, send } from './forms.js';
import type { Stage } from './stage.js';

const REASON = 'Asked for by telephone.';
const ADDRESS = { Street: 'Rue de Rivoli 1', Postcode: '75001', City: 'Paris', Country: 'FR' };

export function describeAccountActs(stage: Stage): void {
  describe('what operators do with accounts', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openConsole(stage);
    }, TEST_MS);

    afterAll(() => stage.clear());

    afterEach(() => expect(visitor.complaints.splice(0)).toEqual([]));

    async function open({ accountId }: Pick<Customer, 'accountId'>, part = ''): Promise<void> {
      await visitor.page.goto(`${stage.service.adminUrl}/console/accounts/${accountId}${part}`);
    }

    const button = (name: string): Locator =>
      visitor.page.getByRole('button', { name, exact: true });
    const dialog = (name: string): Locator => visitor.page.getByRole('dialog', { name });
    const panel = (title: string): Locator =>
      visitor.page
        .locator('section')
        .filter({ has: visitor.page.getByRole('heading', { name: title, level: 2, exact: true }) });

    const opens = async (key: string): Promise<number> =>
      (await ask(`${stage.service.apiUrl}/v1/account`, key)).status;

    test(
      'an account is opened by its form, and found by a part of its name',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/accounts`);
        await button('New account').click();
        const form = dialog('Open an account');
        await form.getByRole('button', { name: 'Open the account', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['Name']);
        await fillIn(form, { Name: 'Orangerie Sanssouci', 'Warn below': '100' });
        await send(form, 'Open the account');
        await page.getByRole('heading', { level: 1, name: 'Orangerie Sanssouci' }).waitFor();

        await page.getByRole('link', { name: 'All accounts', exact: true }).click();
        await page.getByRole('searchbox', { name: 'Search' }).fill('orangerie');
        const rows = page.getByRole('region', { name: 'Accounts' }).locator('tbody tr');
        await expectSoon(() => rows.allInnerTexts(), [expect.stringContaining('Orangerie')]);
      },
      TEST_MS,
    );

    test(
      'a grant is given by its form, and what is left of it is taken back with a reason',
      async () => {
        const customer = await stage.service.customer(0);
        const { page } = visitor;
        await open(customer, '/credits');
        await button('Grant credits').click();
        const form = dialog('Grant credits');
        await form.getByRole('button', { name: 'Grant', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['Credits', 'Price, net']);
        await fillIn(form, { Credits: '1000', 'Price, net': '49' });
        await send(form, 'Grant');
        const row = page.getByRole('region', { name: 'Grants' }).locator('tbody tr');
        await row.getByText('active', { exact: true }).waitFor();
        await row.getByText(/\D49\.00$/).waitFor();

        await expectStated(page, button('Void'), [
          '1,000 credits are taken back from now on',
          /balance of 1,000 becomes 0\. All its calls are refused then\./,
          /^Give back \D+49\.00 net$/,
          /^It is not invoiced yet, and will not be\. Otherwise it is forfeited/,
        ]);
        await actWithReason(page, button('Void'), { confirm: 'Void it', reason: REASON });
        await row.getByText('voided', { exact: true }).waitFor();
        expect((await stage.service.admin(`/accounts/${customer.accountId}`)).body['balance']).toBe(
          0,
        );
        await page.getByRole('link', { name: 'Story', exact: true }).click();
        await page.getByText(`“${REASON}”`).waitFor();
      },
      TEST_MS,
    );

    test(
      'a key is made by its form, shown once, and opens nothing once it is revoked',
      async () => {
        const { page } = visitor;
        await open(await stage.service.customer(0), '/keys');
        await button('New key').click();
        const form = dialog('New API key');
        await form.getByRole('button', { name: 'Make the key', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['Label']);
        await fillIn(form, { Label: 'Reports' });
        await send(form, 'Make the key');
        const shown = dialog('API key “Reports”');
        const key = await shown.locator('code').innerText();
        await send(shown, 'I have stored it');
        expect(await opens(key)).toBe(200);

        const row = page.getByRole('row', { name: 'Reports' });
        const revoke = row.getByRole('button', { name: 'Revoke', exact: true });
        await actWithReason(page, revoke, { confirm: 'Revoke it', reason: REASON });
        await row.getByText('revoked', { exact: true }).waitFor();
        expect(await opens(key)).toBe(401);
        expect(await page.content()).not.toContain(key);
      },
      TEST_MS,
    );

    test(
      'a plan begins with the next month, and lacks nothing when it is taken',
      async () => {
        const { page } = visitor;
        await open(await stage.service.customer(0), '/billing');
        await button('Give it a plan').click();
        const form = dialog('Plan from the next month on');
        await fillIn(form, { 'Included credits': '1000' });
        await form.getByRole('button', { name: 'Save', exact: true }).click();
        expect(await faultyFields(page)).toEqual([
          'Monthly fee, net',
          'Per 1,000 credits beyond',
          'Rate in percent',
        ]);
        await fillIn(form, {
          'Monthly fee, net': '49',
          'Per 1,000 credits beyond': '12.5',
          'Rate in percent': '19',
        });
        await send(form, 'Save');
        const plan = panel('Plan');
        await plan.getByText('From the next month on:').waitFor();
        await expectSoon(
          () => plan.locator('dd').allInnerTexts(),
          [
            expect.stringContaining('49.00'),
            '1,000 credits',
            expect.stringContaining('12.50'),
            'Standard rate, 19 %',
          ],
        );
      },
      TEST_MS,
    );

    test(
      'whom invoices are addressed to is refused at its fields, and shown as it was saved',
      async () => {
        const { page } = visitor;
        await open(await stage.service.customer(0), '/billing');
        const addressed = panel('Invoices are addressed to');
        await addressed.getByRole('button', { name: 'Change', exact: true }).click();
        const form = dialog('Whom invoices are addressed to');
        await fillIn(form, { ...ADDRESS, Country: 'France', 'E-mail': 'books', City: '' });
        await form.getByRole('button', { name: 'Save', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['City', 'Country', 'E-mail']);
        await fillIn(form, { Country: 'HK' });
        await form.getByLabel('Postcode (optional)', { exact: true }).waitFor();
        await fillIn(form, { Country: 'FR' });
        await fillIn(form, { ...ADDRESS, 'E-mail': 'books@example.com' });
        await fillIn(form, { 'Name on invoices': 'Orangerie SARL' });
        await send(form, 'Save');
        await addressed.getByText('Orangerie SARL').waitFor();
        await addressed.getByText('75001 Paris').waitFor();
      },
      TEST_MS,
    );

    test(
      'the seller is refused at its fields, and shown as it was saved',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/seller`);
        await button('Change').click();
        const form = dialog('Who sends invoices');
        await fillIn(form, { ...ADDRESS, 'IBAN (optional)': 'DE00', 'VAT id (optional)': '?' });
        await fillIn(form, { 'Name on invoices': 'Popindex SAS', 'E-mail': 'bills@example.com' });
        await form.getByRole('button', { name: 'Save', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['VAT id (optional)', 'IBAN (optional)']);
        const right = {
          'IBAN (optional)': 'DE89370400440532013000',
          'VAT id (optional)': 'FR40303265045',
        };
        await fillIn(form, right);
        await send(form, 'Save');
        await page.getByText('Popindex SAS').waitFor();
      },
      TEST_MS,
    );

    test(
      'a dispute goes from the complaint to its credits, which take the operator three clicks',
      async () => {
        const { page } = visitor;
        const customer = await stage.service.customer(1_000);
        await customer.get('/v1/latest/cat1/trends/top5/popindex/us/beauty');
        const { page: portal, complaints } = await openPortal(stage, customer.accountId);
        await goTo(portal, 'Calls');
        await portal.locator('tbody button').first().click();
        const drawer = portal.getByRole('dialog', { name: 'Why did this cost that?' });
        await drawer.getByRole('button', { name: 'Dispute this call', exact: true }).click();
        await drawer.getByRole('button', { name: 'Open the dispute', exact: true }).click();
        expect(await faultyFields(portal)).toEqual(['What is wrong with this call?']);
        await fillIn(drawer, { 'What is wrong with this call?': 'It was last week’s data.' });
        await drawer.getByRole('button', { name: 'Open the dispute', exact: true }).click();
        await drawer.getByText('open', { exact: true }).waitFor();

        await page.goto(`${stage.service.adminUrl}/console/`);
        await goTo(page, 'Calls', 'Disputes');
        const row = page.getByRole('region', { name: 'Disputes' }).locator('tbody tr').first();
        await row.getByText('It was last week’s data.').waitFor();
        await row.getByRole('link', { name: 'Nadja', exact: true }).waitFor();
        await row.getByRole('link', { name: /^Explain the call / }).click();
        await dialog('Why it cost that').getByText('How it was priced').waitFor();
        await expectStated(page, button('Give it back'), [
          /^[\d,]+ credits are given back$/,
          /^They are given back as credits\. No money moves/,
        ]);
        await page.keyboard.press('Escape');
        await dialog('Why it cost that').waitFor({ state: 'detached' });
        const give = row.getByRole('button', { name: 'Give back', exact: true });
        await expectStated(page, give, [/^[\d,]+ credits of 1 call are given back$/]);
        const explain = row.getByRole('button', { name: 'Explain', exact: true });
        await expectStated(page, explain, ['No credits and no money move.']);
        await give.click();
        const form = dialog('Give these calls back');
        await fillIn(form, { Answer: 'You are right.' });
        await send(form, 'Give back');
        await row.getByText('Answer: You are right.').waitFor();
        await page.getByRole('combobox', { name: 'State', exact: true }).click();
        await page.getByRole('option', { name: 'rejected', exact: true }).click();
        await page.getByText('Nothing is disputed').waitFor();
        expect(new URL(page.url()).search).toBe('?status=rejected');

        await drawer.getByText('accepted', { exact: true }).waitFor();
        const { body } = await stage.service.admin(`/accounts/${customer.accountId}`);
        expect(body['balance']).toBe(1_000);
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'an account is suspended, resumed, closed for ever, and its personal data erased',
      async () => {
        const { page } = visitor;
        const customer = await stage.service.customer(100, { name: 'Wilhelmine Lichtenau' });
        await open(customer);
        const act = (name: string, confirm: string) =>
          actWithReason(page, button(name), { confirm, reason: REASON });
        await expectStated(page, button('Suspend'), [/balance of 100 credits stays/]);
        await act('Suspend', 'Suspend it');
        await button('Resume').waitFor();
        await act('Resume', 'Resume it');
        await button('Suspend').waitFor();
        expect(await opens(customer.apiKey)).toBe(200);
        await expectStated(page, button('Close'), [
          'Wilhelmine Lichtenau makes no call any more from now on',
          /balance of 100 credits can no longer be used/,
          'Nothing is to be invoiced of the month so far.',
        ]);
        await act('Close', 'Close it');
        await button('Erase personal data').waitFor();
        expect(await opens(customer.apiKey)).toBe(401);
        const acts = page.getByRole('button', { name: /^(?:Suspend|Resume|Close)$/ });
        await expectSoon(() => acts.count(), 0);
        await expectStated(page, button('Erase personal data'), [/No credits and no money move/]);
        await act('Erase personal data', 'Erase it');
        await page.getByRole('heading', { level: 1, name: 'Erased account' }).waitFor();
        expect(await page.content()).not.toContain('Lichtenau');
      },
      TEST_MS,
    );
  });
}

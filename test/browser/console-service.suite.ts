import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { Receiver, status } from '../../apps/accounting/src/deliveries/receiver.suite.js';
import { waitFor } from '../setup/wait-for.js';
import { TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { actWithReason, faultyFields, fillIn, send } from './forms.js';
import type { Stage } from './stage.js';

const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const REASON = 'Asked for by the auditor.';
const PLAN = {
  monthly_fee: 4_900,
  included_credits: 1_000,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 19 },
};

export function describeServiceActs(stage: Stage): void {
  describe('what operators do with the service', () => {
    let visitor: Visitor;
    let receiver: Receiver;

    beforeAll(async () => {
      receiver = await Receiver.start();
      visitor = await openConsole(stage);
    }, TEST_MS);

    afterAll(async () => {
      await stage.clear();
      await receiver.close();
    });

    afterEach(() => expect(visitor.complaints.splice(0)).toEqual([]));

    const open = (path: string) => visitor.page.goto(`${stage.service.adminUrl}/console${path}`);
    const button = (name: string | RegExp): Locator =>
      visitor.page.getByRole('button', { name, exact: true });

    test(
      'a card is drawn up, tried on the last month, and published for next week',
      async () => {
        const { page } = visitor;
        const customer = await stage.service.customer(1_000, { name: 'Tried and tested' });
        await customer.get(TOP_5);
        await open('/rate-cards');
        await button('New card from this one').first().click();
        await page.getByText('Nothing yet').waitFor();
        const cost = page.getByRole('textbox', { name: 'Credits of every call' });
        await cost.fill('');
        await button('Try it').click();
        expect(await faultyFields(page)).toEqual(['Credits of every call']);
        await cost.fill('20');
        await page.getByRole('textbox', { name: 'Credits of rule 4' }).fill('30');
        const changes = page.getByRole('region', { name: 'Changes' }).locator('tbody tr');
        await changes.nth(1).waitFor();
        expect(await changes.locator('td:first-child').allInnerTexts()).toEqual([
          'every call',
          'top 5',
        ]);
        await button('Try it').click();
        const tried = page.getByRole('region', { name: 'By account' }).getByRole('row');
        await tried.filter({ hasText: 'Tried and tested' }).filter({ hasText: '50' }).waitFor();

        await page.getByRole('textbox', { name: 'From window' }).fill('2020w01');
        await button('Publish the card').click();
        await page.getByRole('dialog').getByRole('button', { name: 'Publish it' }).click();
        await page.getByRole('dialog').getByRole('alert').waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
        const from = page.getByRole('textbox', { name: 'From window' });
        await from.fill((await from.getAttribute('placeholder')) ?? '');
        const publish = { confirm: 'Publish it', reason: REASON };
        await actWithReason(page, button('Publish the card'), publish);
        await page.getByText('20 credits a call.').waitFor();
        await page.getByText('next window').waitFor();
      },
      TEST_MS,
    );

    test(
      'a run of a month says what it issued, and a second one issues nothing twice',
      async () => {
        const { page } = visitor;
        await open('/invoices');
        await button('Issue what is due').click();
        await page.getByText(/\d+ invoices? issued, \d+ skipped, 0 failed/).waitFor();
        await button('Issue what is due').click();
        await page.getByText(/^0 invoices issued, \d+ skipped, 0 failed/).waitFor();
      },
      TEST_MS,
    );

    test(
      'a payment is recorded by its form, and all that is left of an invoice is taken back',
      async () => {
        const { page } = visitor;
        const terms = { plan: PLAN, currency: 'EUR', test_clock: '2026-11-30T12:00:00Z' };
        const customer = await stage.service.customer(0, terms);
        await stage.service.moveClock(customer.accountId, '2026-12-01T00:00:00Z');
        const { body } = await stage.service.admin(`/invoices?account_id=${customer.accountId}`);
        const [{ number = '' } = {}] = body['items'] as { number?: string }[];
        await open(`/invoices/${number}`);
        await button('Record a payment').click();
        const form = page.getByRole('dialog', { name: `A payment of ${number}` });
        await fillIn(form, { Amount: '' });
        await form.getByRole('button', { name: 'Record it' }).click();
        expect(await faultyFields(page)).toEqual(['Amount']);
        await fillIn(form, { Amount: '10', 'Reference (optional)': 'Transfer 4711' });
        await send(form, 'Record it');
        await page.getByRole('row', { name: 'Transfer 4711' }).waitFor();
        await page.getByText('partly paid').waitFor();

        // 49.00 a month and 19 % tax.
        await button('Void').click();
        await page.getByRole('dialog').getByText('58.31').waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
        await actWithReason(page, button('Void'), { confirm: 'Void it', reason: REASON });
        await button('Void').waitFor({ state: 'detached' });
        await page.getByText(/TEST-CN-\d+/).waitFor();
        await open('/invoices');
        const note = page.getByRole('region', { name: 'Credit notes' }).getByRole('row');
        await note.filter({ hasText: number }).filter({ hasText: '58.31' }).waitFor();
      },
      TEST_MS,
    );

    test(
      'a delivery that failed shows why, and is sent again',
      async () => {
        const { page } = visitor;
        receiver.answer = status(500);
        await open('/webhooks');
        await button('New webhook').click();
        const form = page.getByRole('dialog', { name: 'New webhook' });
        await fillIn(form, { Address: 'ftp://example.com', 'Account (optional)': 'nobody' });
        await form.getByRole('button', { name: 'Make the webhook' }).click();
        expect(await faultyFields(page)).toEqual(['Address', 'Account (optional)']);
        await fillIn(form, { Address: receiver.url(), 'Account (optional)': '' });
        await send(form, 'Make the webhook');
        await send(page.getByRole('dialog', { name: 'Secret of the webhook' }), 'I have stored it');

        const row = page.getByRole('row').filter({ hasText: receiver.url() });
        await row.getByRole('button', { name: 'Test', exact: true }).click();
        const deliveries = page.getByRole('dialog', { name: 'Deliveries, newest first' });
        await deliveries.getByText('500 in').first().waitFor();
        receiver.answer = status(204);
        await deliveries.getByRole('button', { name: 'Send again' }).click();
        await deliveries.getByText('204 in').first().waitFor();
        const before = receiver.received.length;
        await deliveries.getByRole('button', { name: 'Send again' }).click();
        await waitFor('what was delivered comes again', () => receiver.received.length > before);
        await deliveries.getByRole('button', { name: 'Close' }).click();
        const remove = row.getByRole('button', { name: 'Remove' });
        await actWithReason(page, remove, { confirm: 'Remove it', reason: REASON });
        await row.waitFor({ state: 'detached' });
      },
      TEST_MS,
    );

    test(
      'a projection is built anew, and its row says how far it is',
      async () => {
        const { page } = visitor;
        await open('/projections');
        const row = page.getByRole('region', { name: 'Projections' }).locator('tbody tr').first();
        await row.getByText('none since the start').waitFor();
        const rebuild = row.getByRole('button', { name: 'Rebuild' });
        await actWithReason(page, rebuild, { confirm: 'Build it anew', reason: REASON });
        await row.getByRole('progressbar').or(row.getByText('done')).first().waitFor();
        await row.getByText('done').waitFor();
        await row.getByText('running').waitFor();
      },
      TEST_MS,
    );

    test(
      'the log is verified, and the report names every rule and no difference',
      async () => {
        const { page } = visitor;
        await open('/verify');
        await page.getByText('Not verified since this process started').waitFor();
        const begin = { confirm: 'Verify it', reason: REASON };
        await actWithReason(page, button('Verify now'), begin);
        await page.getByText('Everything belongs together').waitFor();
        const checks = page.getByRole('region', { name: 'Checks' }).locator('tbody tr');
        expect(await checks.count()).toBeGreaterThan(5);
        expect(new Set(await checks.locator('td:nth-child(3)').allInnerTexts())).toEqual(
          new Set(['0']),
        );
      },
      TEST_MS,
    );

    test(
      'the audit log says who changed what and why, of one account as of all, and as a file',
      async () => {
        const { page } = visitor;
        const [one, other] = [await stage.service.customer(0), await stage.service.customer(0)];
        for (const { accountId } of [one, other]) {
          await stage.service.admin(`/accounts/${accountId}/suspend`, {
            reason: `Why ${accountId}`,
          });
        }
        await open('/audit');
        const rows = page.getByRole('region', { name: 'Changes' }).locator('tbody tr');
        const suspended = rows.filter({ hasText: 'Suspended' });
        await suspended.filter({ hasText: `Why ${other.accountId}` }).waitFor();
        await page.getByRole('textbox', { name: 'Account' }).fill(one.accountId);
        await suspended.filter({ hasText: other.accountId }).waitFor({ state: 'detached' });
        await suspended.filter({ hasText: `Why ${one.accountId}` }).waitFor();
        await suspended.getByText('owner’s token').waitFor();
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'CSV' }).click();
        const csv = await readFile(await (await download).path(), 'utf8');
        expect(csv).toContain(`Why ${one.accountId}`);
        expect(csv).not.toContain(other.accountId);
        await page.getByRole('textbox', { name: 'Account' }).fill('nobody');
        expect(await faultyFields(page)).toEqual(['Account']);
      },
      TEST_MS,
    );
  });
}

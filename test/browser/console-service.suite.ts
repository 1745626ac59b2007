import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Locator } from 'playwright-core';
import { Receiver, status } from '#deliveries/receiver.suite.js';
import { BUYER } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';
import { TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { expectSoon } from './expect-soon.js';
import { actWithReason, expectStated, faultyFields, fillIn, send } from './forms.js';
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
        await page.getByText('Nothing yet', { exact: true }).waitFor();
        const cost = page.getByRole('textbox', { name: 'Credits of every call', exact: true });
        await cost.fill('');
        await button('Try it').click();
        expect(await faultyFields(page)).toEqual(['Credits of every call']);
        const factor = page.getByRole('textbox', { name: 'All prices ×', exact: true });
        await factor.fill('1.1');
        const rounding = page.getByRole('region', { name: 'Rounding' }).getByRole('row');
        await rounding.filter({ hasText: 'per row' }).getByText('5.5', { exact: true }).waitFor();
        await factor.fill('1');
        await page.getByText('Nothing yet', { exact: true }).waitFor();
        await cost.fill('20');
        await page.getByRole('textbox', { name: 'Credits of rule 4', exact: true }).fill('30');
        const changes = page.getByRole('region', { name: 'Changes' }).locator('tbody tr');
        const changed = changes.locator('td:first-child');
        await expectSoon(() => changed.allInnerTexts(), ['every call', 'top 5']);
        await button('Try it').click();
        const tried = page.getByRole('region', { name: 'By account' }).getByRole('row');
        const ofAccount = tried.filter({ hasText: 'Tried and tested' });
        await ofAccount.getByRole('cell', { name: '50', exact: true }).waitFor();

        await page.getByRole('textbox', { name: 'From window', exact: true }).fill('2020w01');
        await button('Publish the card').click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: 'Publish it', exact: true })
          .click();
        await page.getByRole('dialog').getByRole('alert').waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
        const from = page.getByRole('textbox', { name: 'From window', exact: true });
        await from.fill((await from.getAttribute('placeholder')) ?? '');
        const publish = { confirm: 'Publish it', reason: REASON };
        await actWithReason(page, button('Publish the card'), publish);
        await page.getByText(/^20 credits a call\./).waitFor();
        await page.getByText('next window', { exact: true }).waitFor();
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
      'what is taken back of a purchase states its money and its credits, which the account may keep',
      async () => {
        const { page } = visitor;
        const billing = { ...BUYER, tax: { category: 'S', rate_percent: 19 } };
        const terms = { currency: 'EUR', test_clock: '2026-11-30T12:00:00Z' };
        const customer = await stage.service.customer(0, terms, billing);
        const grants = `/accounts/${customer.accountId}/grants`;
        const sold = { credits: 1_000, kind: 'purchased', price: 4_900 };
        const { body } = await stage.service.admin(grants, sold);
        await open(`/invoices/${String(body['invoice_number'])}`);
        const stated = [/58\.31 is issued for Nadja at once/, /1,000 credits are taken back/];
        const keep = 'The account keeps the credits';
        await expectStated(page, button('Void'), [...stated, keep]);
        await expectStated(page, button('Credit note'), [...stated, keep]);
        await open(`/accounts/${customer.accountId}/credits`);
        await expectStated(page, button('Void'), [/Give back \D+49\.00 net/, /^By a credit note/]);
        await open(`/accounts/${customer.accountId}`);
        await expectStated(page, button('Close'), [
          /\D49\.00 net, which is not given back by this/,
        ]);
        await open(`/invoices/${String(body['invoice_number'])}`);
        await button('Credit note').click();
        const form = page.getByRole('dialog', { name: /^Take back a part of/ });
        await fillIn(form, { Reason: 'Goodwill.' });
        await form.getByRole('checkbox', { name: keep }).check();
        await send(form, 'Issue the credit note');
        await button('Credit note').waitFor({ state: 'detached' });
        const { body: account } = await stage.service.admin(`/accounts/${customer.accountId}`);
        expect(account['balance']).toBe(1_000);
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
        await form.getByRole('button', { name: 'Record it', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['Amount']);
        await fillIn(form, { Amount: '10', 'Reference (optional)': 'Transfer 4711' });
        await send(form, 'Record it');
        await page.getByRole('row', { name: 'Transfer 4711' }).waitFor();
        await page.getByText('partly paid', { exact: true }).waitFor();

        // 49.00 a month and 19 % tax.
        await expectStated(page, button('Void'), [/58\.31 is issued/, 'No credits move.']);
        await actWithReason(page, button('Void'), { confirm: 'Void it', reason: REASON });
        await button('Void').waitFor({ state: 'detached' });
        await page.getByText(/TEST-CN-\d+/).waitFor();
        await open('/invoices?test=true');
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
        await form.getByRole('button', { name: 'Make the webhook', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['Address', 'Account (optional)']);
        await fillIn(form, { Address: receiver.url(), 'Account (optional)': '' });
        await send(form, 'Make the webhook');
        await send(page.getByRole('dialog', { name: 'Secret of the webhook' }), 'I have stored it');

        const row = page.getByRole('row').filter({ hasText: receiver.url() });
        await row.getByRole('button', { name: 'Test', exact: true }).click();
        const deliveries = page.getByRole('dialog', { name: 'Deliveries, newest first' });
        // It receives all notifications, so events of other tests arrive there too.
        const tested = deliveries.getByRole('listitem').filter({ hasText: 'webhook.test' });
        const attempt = (answer: number) => tested.getByText(new RegExp(`: ${answer} in `)).last();
        await attempt(500).waitFor();
        receiver.answer = status(204);
        const again = tested.getByRole('button', { name: 'Send again', exact: true });
        await again.click();
        await attempt(204).waitFor();
        const before = receiver.received.length;
        await again.click();
        await waitFor('what was delivered comes again', () => receiver.received.length > before);
        await deliveries.getByRole('button', { name: 'Close', exact: true }).click();
        const remove = row.getByRole('button', { name: 'Remove', exact: true });
        await actWithReason(page, remove, { confirm: 'Remove it', reason: REASON });
        await row.waitFor({ state: 'detached' });
      },
      TEST_MS,
    );

    test(
      'a projection is rebuilt, and its row shows the progress',
      async () => {
        const { page } = visitor;
        await open('/service');
        const name = page.getByRole('cell', { name: /^audit\b/ });
        const row = page.getByRole('region', { name: 'Projections' }).getByRole('row');
        const audit = row.filter({ has: name });
        const rebuild = audit.getByRole('button', { name: 'Rebuild', exact: true });
        // New rows take the place of old ones only once nobody looks at those any more.
        const reader = new pg.Client({ connectionString: stage.service.databaseUrl });
        await reader.connect();
        try {
          await reader.query('begin transaction isolation level repeatable read');
          await reader.query('select from audit_entry limit 1');
          await actWithReason(page, rebuild, { confirm: 'Rebuild it', reason: REASON });
          await audit.getByRole('progressbar', { name: 'Rebuild of audit' }).waitFor();
          await audit.getByText(/^switching: [\d,]+ of [\d,]+ events$/).waitFor();
          await expectSoon(() => rebuild.isDisabled(), true);
        } finally {
          await reader.end();
        }
        await audit.getByText('done', { exact: true }).waitFor();
        await audit.getByText('running', { exact: true }).waitFor();
      },
      TEST_MS,
    );

    test(
      'the log is verified, and the report names every rule and no difference',
      async () => {
        const { page } = visitor;
        await open('/service');
        await page.getByText('Not verified yet').waitFor();
        const begin = { confirm: 'Verify it', reason: REASON };
        await actWithReason(page, button('Verify now'), begin);
        // It goes through all the history of the demo, beside whatever else the machine does.
        await page.getByText('Everything belongs together').waitFor({ timeout: TEST_MS / 2 });
        const checks = page.getByRole('region', { name: 'Checks' }).locator('tbody tr');
        await checks.nth(5).waitFor();
        const differences = checks.locator('td:nth-child(3)');
        expect(new Set(await differences.allInnerTexts())).toEqual(new Set(['0']));

        const left = 'The figures of release r1 are not covered.';
        await page.route('**/admin/v1/verifications*', async (route) => {
          const response = await route.fetch();
          const list = (await response.json()) as { items: readonly object[] };
          const items = list.items.map((report) => ({ ...report, not_covered: [left] }));
          await route.fulfill({ response, json: { ...list, items } });
        });
        await page.reload();
        await page.getByRole('status').filter({ hasText: left }).waitFor();
        await page.unroute('**/admin/v1/verifications*');
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
        const account = page.getByRole('combobox', { name: 'Account', exact: true });
        await account.fill('nobody');
        await page.getByText('No account has that name').waitFor();
        await account.fill(one.accountId);
        await page.getByText('No account has that name').waitFor({ state: 'detached' });
        const options = page.getByRole('option');
        await expectSoon(() => options.count(), 1);
        await options.first().click();
        await suspended.filter({ hasText: other.accountId }).waitFor({ state: 'detached' });
        await suspended.filter({ hasText: `Why ${one.accountId}` }).waitFor();
        await suspended.getByText('owner’s token').waitFor();
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'CSV', exact: true }).click();
        const csv = await readFile(await (await download).path(), 'utf8');
        expect(csv).toContain(`Why ${one.accountId}`);
        expect(csv).not.toContain(other.accountId);
      },
      TEST_MS,
    );
  });
}

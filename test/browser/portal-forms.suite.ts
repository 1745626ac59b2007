import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { NOTIFICATION_TYPES } from '#projections/projections/notification-types.js';
import { Receiver } from '#deliveries/receiver.suite.js';
import { ask } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';
import { TEST_MS } from './browser.js';
import { expectSoon } from './expect-soon.js';
import { actWithReason, faultyFields, fillIn, send } from './forms.js';
import { goTo } from './go-to.js';
import { openPortal } from './portal-door.js';
import type { Stage } from './stage.js';

const TRENDS = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const BRANDS = '/v1/latest/cat1/brands/top5/popindex/us/beauty';
const TABS_MAX = 60;

export function describePortalForms(stage: Stage): void {
  describe('the forms of the portal', () => {
    let receiver: Receiver;

    beforeAll(async () => {
      receiver = await Receiver.start();
    });

    afterEach(() => stage.clear());

    afterAll(() => receiver.close());

    test(
      'a webhook is refused at its field, made, tested, sent again, given a new secret, and removed',
      async () => {
        const { accountId } = await stage.service.customer(0);
        const { page, complaints } = await openPortal(stage, accountId);
        await goTo(page, 'Developers', 'Webhooks');
        await page.getByText('No webhooks yet').waitFor();
        await page.getByRole('button', { name: 'New webhook', exact: true }).click();
        const form = page.getByRole('dialog', { name: 'New webhook' });
        await form.getByRole('combobox', { name: 'Events', exact: true }).click();
        const offered = await page.getByRole('option').allInnerTexts();
        expect(offered).toEqual(NOTIFICATION_TYPES.filter((type) => !type.startsWith('release.')));
        expect(offered).toEqual(
          expect.arrayContaining(['invoice.issued', 'credit_note.issued', 'dispute.resolved']),
        );
        await form.getByRole('textbox', { name: 'Address', exact: true }).click();
        await fillIn(form, { Address: 'nowhere', 'Description (optional)': 'Our books' });
        await form.getByRole('button', { name: 'Make the webhook', exact: true }).click();
        expect(await faultyFields(page)).toEqual(['Address']);
        await fillIn(form, { Address: receiver.url() });
        await send(form, 'Make the webhook');
        const shown = page.getByRole('dialog', { name: 'Secret of the webhook' });
        const secret = await shown.locator('code').innerText();
        // It is shown this once: no key puts it away.
        await page.keyboard.press('Escape');
        expect(await shown.locator('code').innerText()).toBe(secret);
        await send(shown, 'I have stored it');
        const opener = page.getByRole('button', { name: 'New webhook', exact: true });
        await waitFor('the focus is where the form was opened', () => isFocused(opener));

        const row = page.getByRole('row').filter({ hasText: receiver.url() });
        await row.getByText('Our books', { exact: true }).waitFor();
        await row.getByRole('button', { name: 'Test', exact: true }).click();
        const deliveries = page.getByRole('dialog', { name: 'Deliveries, newest first' });
        const tested = deliveries.getByRole('listitem').filter({ hasText: 'webhook.test' });
        await tested.getByText('delivered', { exact: true }).waitFor();
        await waitFor('the test arrives', () => receiver.received.length === 1);
        const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
        new Webhook(secret).verify(body, headers as Record<string, string>);
        await tested.getByRole('button', { name: 'Send again', exact: true }).click();
        await waitFor('it arrives again', () => receiver.received.length === 2);
        await tested
          .getByText(/: 204 in /)
          .nth(1)
          .waitFor();
        await deliveries.getByRole('button', { name: 'Close', exact: true }).click();

        const replacement = { confirm: 'Make it', reason: 'It was in a mail.' };
        const replace = row.getByRole('button', { name: 'New secret', exact: true });
        await actWithReason(page, replace, replacement);
        expect(await shown.locator('code').innerText()).not.toBe(secret);
        await send(shown, 'I have stored it');
        await waitFor('the focus is back behind two dialogs', () => isFocused(replace));
        const gone = { confirm: 'Remove it', reason: 'Moved elsewhere.' };
        await actWithReason(page, row.getByRole('button', { name: 'Remove', exact: true }), gone);
        await page.getByText('No webhooks yet').waitFor();
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'pasted URLs are priced in their order, now and from next Tuesday on, and what is wrong is named',
      async () => {
        const customer = await stage.service.customer(1_000);
        const { page, complaints } = await openPortal(stage, customer.accountId);
        await goTo(page, 'Explorer');
        await page.getByText('Quote many URLs', { exact: true }).click();
        const ask = page.getByRole('button', { name: 'Ask for the price', exact: true });
        expect(await ask.isDisabled()).toBe(true);
        const wrong = TRENDS.replace('/us/', '/mars/');
        const urls = [TRENDS, `${stage.service.apiUrl}${BRANDS}`, wrong];
        await page
          .getByRole('textbox', { name: 'URLs, one a line', exact: true })
          .fill(urls.join('\n\n'));
        const sum = (words: string) =>
          page.getByRole('heading', { name: words, exact: true }).waitFor();
        const rows = page.getByRole('region', { name: 'Quote', exact: true }).locator('tbody tr');
        const prices = async (n: number) =>
          (await rows.nth(n).locator('td').allInnerTexts()).slice(1);
        await ask.click();
        await sum('70 credits now, 70 credits from next Tuesday on');
        await expectSoon(() => prices(0), ['base', 'top 5', '10 + 25', '35', '–', '35']);
        await expectSoon(() => prices(1), ['base', 'top 5', '10 + 25', '35', '–', '35']);
        await rows
          .nth(2)
          .getByText(/"mars" is not one of us, gb/)
          .waitFor();
        await page.getByText('1 could not be priced').waitFor();
        expect(complaints).toEqual([]);

        await customer.get(TRENDS);
        await ask.click();
        await sum('45 credits now, 70 credits from next Tuesday on');
        await expectSoon(() => prices(0), ['repeat', 'top 5', '10 + 0', '10', '–', '35']);
      },
      TEST_MS,
    );

    test(
      'the Explorer shows the price, pulls at that price, and has the same as a command',
      async () => {
        const customer = await stage.service.customer(1_000);
        const { page, complaints } = await openPortal(stage, customer.accountId);
        await goTo(page, 'Explorer');
        await page.getByRole('radio', { name: 'top 5', exact: true }).check({ force: true });
        await choose(page, 'Region', 'France');
        // What was chosen before has the same price, and may be pulled until the page is drawn.
        const shown = page.locator('code').filter({ hasText: 'curl' });
        await shown.filter({ hasText: '/top5/popindex/fr/' }).waitFor();
        const left = async () => (await customer.get('/v1/account')).body['balance'];
        expect(await left()).toBe(1_000);
        await page.getByRole('button', { name: 'Pull for 35 credits', exact: true }).click();
        await page.getByText('This call cost 35 credits').waitFor();
        expect(await left()).toBe(965);
        const ranking = page.getByRole('region', { name: /^Ranking of/ });
        await expectSoon(() => ranking.getByRole('row').count(), 1 + 5);
        const first = ranking.getByRole('row').nth(1);
        await first.getByRole('img', { name: /^Google \d.*, TikTok \d.*, Instagram \d/ }).waitFor();
        await first
          .getByText(/^[+−-]?\d.*%$/)
          .first()
          .waitFor();

        const command = await shown.innerText();
        const [, url = ''] =
          /^curl -H "Authorization: Bearer \$\{API_KEY:\?[^}]+\}" (\S+)$/.exec(command) ?? [];
        const { status, body } = await ask(url, customer.apiKey);
        expect([status, body['credits_used']]).toEqual([200, 10]);
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );

    /** Takes an option of a field with a list, as one does with the mouse. */
    async function choose(page: Page, label: string, option: string): Promise<void> {
      await page.getByLabel(label, { exact: true }).first().click();
      await page.getByRole('option', { name: option, exact: true }).click();
    }

    test(
      'a key that is shown once can be copied, and the list shows only its ends',
      async () => {
        const { accountId } = await stage.service.customer(0);
        const { page } = await openPortal(stage, accountId);
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await goTo(page, 'Developers');
        await page.getByRole('button', { name: 'New key', exact: true }).click();
        await fillIn(page.getByRole('dialog'), { Label: 'Notebook' });
        await page.getByRole('button', { name: 'Make the key', exact: true }).click();
        const shown = page.getByRole('dialog', { name: 'API key “Notebook”' });
        await shown.getByRole('button', { name: 'Copy API key', exact: true }).click();
        await shown.getByRole('button', { name: 'API key copied', exact: true }).waitFor();
        const key = await page.evaluate<string>('navigator.clipboard.readText()');
        expect(key).toBe(await shown.locator('code').innerText());
        expect((await ask(`${stage.service.apiUrl}/v1/account`, key)).status).toBe(200);
        await send(shown, 'I have stored it');
        await page.reload();
        await page.getByRole('row', { name: 'Notebook' }).getByText(key.slice(-4)).waitFor();
        expect(await page.content()).not.toContain(key);
      },
      TEST_MS,
    );

    test(
      'a budget form says everything that is wrong at once and keeps what was typed',
      async () => {
        const { accountId } = await stage.service.customer(100);
        const { page, complaints } = await openPortal(stage, accountId);
        await goTo(page, 'Budgets & alerts');
        await page.getByRole('button', { name: 'New budget', exact: true }).click();
        const form = page.getByRole('dialog', { name: 'New budget' });
        const add = async (label: string, word: string) => {
          await form
            .getByRole('textbox', { name: label })
            .or(form.getByLabel(label))
            .first()
            .fill(word);
          await page.keyboard.press('Enter');
        };
        await add('Alert at (percent)', 'soon');
        await add('E-mail to', 'nobody');
        await form.getByRole('button', { name: 'Set the budget', exact: true }).click();
        expect(await faultyFields(page)).toEqual([
          'Limit in credits',
          'Alert at (percent)',
          'E-mail to',
        ]);
        await form.getByText('nobody', { exact: true }).waitFor();
        await form.getByRole('button', { name: 'Cancel', exact: true }).click();
        await page.getByText('No budgets yet').waitFor();

        await page.getByRole('button', { name: 'New budget', exact: true }).click();
        await fillIn(form, { 'Limit in credits': '500' });
        await add('E-mail to', 'books@example.com');
        await send(form, 'Set the budget');
        await page.getByText(/^0 of 500 credits in /).waitFor();
        const remove = page.getByRole('button', { name: 'Remove', exact: true });
        await actWithReason(page, remove, { confirm: 'Remove it', reason: 'The project is over.' });
        await page.getByText('No budgets yet').waitFor();
        const { text } = await stage.service.admin(`/accounts/${accountId}/events`);
        expect(text).toContain('The project is over.');
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'everything is reached by the keyboard alone, and what has the focus is seen',
      async () => {
        const { accountId } = await stage.service.customer(100);
        const { page } = await openPortal(stage, accountId);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await expectSoon(() => page.evaluate<string>('document.activeElement.id'), 'page');

        await page.reload();
        await tabTo(
          page,
          page.locator('aside').getByRole('link', { name: 'Budgets & alerts', exact: true }),
        );
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Budgets & alerts' }).waitFor();
        const open = page.getByRole('button', { name: 'New budget', exact: true });
        await tabTo(page, open);
        await page.keyboard.press('Enter');
        const form = page.getByRole('dialog', { name: 'New budget' });
        await waitFor('the field has the focus', () =>
          isFocused(form.getByRole('textbox', { name: 'Limit in credits', exact: true })),
        );
        await page.keyboard.type('250');
        await tabTo(page, form.getByRole('radio', { name: 'Only alert', exact: true }));
        await page.keyboard.press('ArrowDown');
        await tabTo(page, form.getByRole('button', { name: 'Set the budget', exact: true }));
        await page.keyboard.press('Enter');
        await form.waitFor({ state: 'detached' });
        await page.getByText(/^0 of 250 credits in /).waitFor();
        const { body } = await stage.service.admin(`/accounts/${accountId}/budgets`);
        expect(body['items']).toMatchObject([{ limit_credits: 250, action: 'block' }]);

        await waitFor('the focus is back', () => isFocused(open));
        await page.keyboard.press('Enter');
        await form.waitFor();
        await page.keyboard.press('Escape');
        await form.waitFor({ state: 'detached' });
      },
      TEST_MS,
    );

    const isFocused = async (locator: Locator): Promise<boolean> =>
      (await locator.and(locator.page().locator(':focus')).count()) === 1;

    /** Goes on with Tab until something has the focus; fails where the focus cannot be seen. */
    async function tabTo(page: Page, locator: Locator): Promise<void> {
      await locator.waitFor();
      for (let count = 0; !(await isFocused(locator)); count += 1) {
        if (count === TABS_MAX) throw new Error(`${String(locator)} is not reached.`);
        await page.keyboard.press('Tab');
      }
      const outline = await page.evaluate<string>(
        `[document.activeElement, document.activeElement.nextElementSibling]
         .map((each) => each && getComputedStyle(each).outlineStyle).join()`,
      );
      expect(outline).toMatch(/solid|auto/);
    }
  });
}

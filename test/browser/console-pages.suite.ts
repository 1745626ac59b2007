import { readFile } from 'node:fs/promises';
import { ADMIN_TOKEN } from '../setup/service.js';
import { AT_A_DESK, IN_A_HAND, TEST_MS, type Visitor } from './browser.js';
import { arriveAtConsole, openConsole } from './console-door.js';
import { expectSoon } from './expect-soon.js';
import { expectSound, expectSwitchedColours, findings } from './sound-page.js';
import { AS_WORDS, expectToSort } from './sorted-tables.js';
import type { Stage } from './stage.js';

export function describeConsolePages(stage: Stage): void {
  describe('the operator’s console', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openConsole(stage);
    }, TEST_MS);

    afterAll(() => stage.clear());

    test(
      'a wrong token is refused at its field, and what is right opens and can be left',
      async () => {
        const { page, complaints } = await arriveAtConsole(stage);
        expect(await findings(page)).toEqual([]);
        const field = page.getByRole('textbox', { name: 'Admin token', exact: true });
        await field.fill('not-a-token');
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('alert').or(page.locator('[aria-invalid=true]')).first().waitFor();
        await field.fill(ADMIN_TOKEN);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
        expect(await page.evaluate<string>('document.cookie')).toBe('');
        await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
        await page.getByRole('heading', { name: 'Operator’s console' }).waitFor();
        expect(complaints).toEqual([]);
      },
      TEST_MS,
    );

    test.each([
      ['/', 'Overview'],
      ['/accounts', 'Accounts'],
      ['/calls', 'Calls'],
      ['/rate-cards', 'Rate cards'],
      ['/releases', 'Releases'],
      ['/invoices', 'Invoices'],
      ['/bank', 'Bank statements'],
      ['/exports', 'Exports'],
      ['/seller', 'Seller'],
      ['/disputes', 'Disputes'],
      ['/refusals', 'Refused calls'],
      ['/webhooks', 'Webhooks'],
      ['/service', 'Service'],
      ['/live', 'Service'],
      ['/operators', 'Operators'],
      ['/audit', 'Audit log'],
      ['/no/such/page', /./],
    ])(
      'the page %s is sound: no error, nothing foreign, nothing in the way',
      (path, heading) => expectSound(visitor, `/console${path}`, heading),
      TEST_MS,
    );

    test(
      'the overview begins with what is to do, of customers or of test accounts',
      async () => {
        const { page } = visitor;
        await stage.service.customer(0, { name: 'Spent Ltd' });
        await page.goto(`${stage.service.adminUrl}/console/?test=false`);
        await visitor.atRest('Overview');
        const rows = page.getByRole('region', { name: 'To do' }).locator('tbody tr');
        const spent = rows.filter({ hasText: 'Accounts without credits' });
        await spent.getByRole('link', { name: 'Spent Ltd' }).waitFor();
        await page.getByRole('checkbox', { name: 'Test accounts' }).click();
        await spent.getByRole('link', { name: 'Spent Ltd' }).waitFor({ state: 'detached' });
        expect(page.url()).toContain('test=true');
        expect(visitor.complaints.splice(0)).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'the head of a column sorts a table, and turns it round',
      async () => {
        const { page } = visitor;
        await stage.service.customer(0, { name: 'Anselm' });
        await page.goto(`${stage.service.adminUrl}/console/accounts`);
        await visitor.atRest('Accounts');
        await expectToSort(page.getByRole('region', { name: 'Accounts' }), 'Name', AS_WORDS);
      },
      TEST_MS,
    );

    test(
      'in a hand the name of an account stays while the rest of its row scrolls',
      async () => {
        const { page } = visitor;
        await visitor.look(IN_A_HAND);
        await page.goto(`${stage.service.adminUrl}/console/accounts`);
        await visitor.atRest('Accounts');
        const table = page.getByRole('region', { name: 'Accounts' });
        await table.locator('thead th').last().scrollIntoViewIfNeeded();
        const cells = table.locator('tbody tr').first().locator('td');
        const lefts = [table, cells.first(), cells.nth(1)].map(async (one) => {
          return (await one.boundingBox())?.x ?? Number.NaN;
        });
        const [edge = 0, name, next] = await Promise.all(lefts);
        expect(name).toBe(edge);
        expect(next).toBeLessThan(edge);
        await visitor.look(AT_A_DESK);
      },
      TEST_MS,
    );

    test(
      'a month that has ended can be closed at its exports, and says what that means',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/exports`);
        await visitor.atRest('Exports');
        const month = await page.getByLabel('Month', { exact: true }).inputValue();
        await page.getByRole('button', { name: `Close ${month}`, exact: true }).click();
        await page.getByText('the files of the month never change').waitFor();
        await page.getByRole('button', { name: 'Cancel', exact: true }).click();
        const running = new Date().toISOString().slice(0, 7);
        await page.getByLabel('Month', { exact: true }).fill(running);
        await page.getByRole('button', { name: /^Close 20/ }).waitFor({ state: 'detached' });
      },
      TEST_MS,
    );

    test(
      'the exports have costs as FOCUS, of the month that is chosen',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/exports`);
        await visitor.atRest('Exports');
        const month = await page.getByLabel('Month', { exact: true }).inputValue();
        await page.getByRole('checkbox', { name: 'Test accounts', exact: true }).check();
        for (const [label, ending, first] of [
          ['FOCUS 1.2, CSV', 'csv', /^[A-Z]\w+(?:,\w+){20,}\r\n/],
          ['FOCUS 1.2, JSON lines', 'jsonl', /^\{"BilledCost":/],
        ] as const) {
          const download = page.waitForEvent('download');
          await page.getByRole('button', { name: label, exact: true }).click();
          const file = await download;
          expect(file.suggestedFilename()).toBe(`focus-${month}.${ending}`);
          expect(await readFile(await file.path(), 'utf8')).toMatch(first);
        }
        expect(visitor.refusals.splice(0)).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'invoices of test accounts stand apart from those of customers',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/invoices?test=false`);
        await visitor.atRest('Invoices');
        const tests = page.getByRole('link', { name: /^TEST-INV-/ });
        expect(await tests.count()).toBe(0);
        await page.getByRole('checkbox', { name: 'Test accounts', exact: true }).click();
        await tests.first().waitFor();
        const sums = page.getByRole('rowheader', { name: /test invoices? shown here/ });
        await sums.first().waitFor();
        expect(visitor.complaints.splice(0)).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'the page of an invoice with all its actions is sound',
      async () => {
        const { body } = await stage.service.admin(
          `/invoices?account_id=${stage.demoId}&limit=1&order=desc`,
        );
        const number = String((body['items'] as Record<string, unknown>[])[0]?.['number']);
        await expectSound(visitor, `/console/invoices/${number}`, `Invoice ${number}`);
      },
      TEST_MS,
    );

    test.each([
      '',
      '/credits',
      '/calls',
      '/refusals',
      '/budgets',
      '/keys',
      '/billing',
      '/invoices',
      '/emails',
      '/portal',
    ])(
      'the part %s of an account is sound',
      (part) => expectSound(visitor, `/console/accounts/${stage.demoId}${part}`, 'Demo account'),
      TEST_MS,
    );

    test(
      'Ctrl-K finds everything by the keyboard alone, and gives the focus back',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/seller`);
        await visitor.atRest('Seller');
        const focused = () => page.locator(':focus').innerText();
        await page.getByRole('button', { name: 'Change', exact: true }).focus();
        await page.keyboard.press('Control+k');
        const box = page.getByRole('searchbox', {
          name: 'Account, person, API key, call or invoice',
        });
        const focusedBox = box.and(page.locator(':focus'));
        await focusedBox.waitFor();
        expect(await findings(page)).toEqual([]);
        await page.keyboard.type('demo acc');
        const found = page.getByRole('list', { name: 'Found' }).getByRole('link');
        await found.filter({ hasText: 'Demo account' }).first().waitFor();
        expect(await findings(page)).toEqual([]);
        await page.keyboard.press('ArrowDown');
        await expectSoon(focused, expect.stringContaining('Demo account'));
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Escape');
        await box.waitFor({ state: 'detached' });
        await expectSoon(focused, 'Change');
        await page.keyboard.press('Control+k');
        await focusedBox.waitFor();
        // Enter does not wait: neither for a pause in the typing nor for the answer.
        await page.keyboard.insertText(stage.demoId);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Demo account' }).waitFor();
        expect(visitor.complaints.splice(0)).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'an account is chosen by its name, and API keys are named by their labels',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/calls`);
        const rows = page.getByRole('region', { name: 'Calls' }).locator('tbody tr');
        await rows.filter({ hasText: 'Demo key' }).first().waitFor();
        const picker = page.getByRole('combobox', { name: 'Account', exact: true });
        await picker.fill('demo acc');
        await page.getByRole('option', { name: 'Demo account', exact: true }).click();
        await expectSoon(
          async () => page.url(),
          expect.stringContaining(`account_id=${stage.demoId}`),
        );
        await page.goto(`${stage.service.adminUrl}/console/audit`);
        await visitor.atRest('Audit log');
        const changes = page.getByRole('region', { name: 'Changes' });
        await changes.getByRole('link', { name: 'Demo account' }).first().waitFor();
        expect(visitor.complaints.splice(0)).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'calls of all accounts are filtered and explained, and a filter stands in the address',
      async () => {
        const { page } = visitor;
        await page.goto(`${stage.service.adminUrl}/console/calls?kind=base`);
        const rows = page.getByRole('region', { name: 'Calls' }).locator('tbody tr');
        await rows.filter({ hasText: 'Demo account' }).first().waitFor();
        expect(await rows.filter({ hasText: 'repeat' }).count()).toBe(0);
        await rows.getByRole('button').first().click();
        const drawer = page.getByRole('dialog', { name: 'Why it cost that' });
        await drawer.getByText('How it was priced').waitFor();
        await drawer.getByRole('link', { name: 'Demo account' }).first().waitFor();
        expect(page.url()).toMatch(/call=[0-9a-f-]{36}/);
        expect(await findings(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await drawer.waitFor({ state: 'detached' });
        expect(page.url()).not.toContain('call=');
        expect(visitor.complaints.splice(0)).toEqual([]);
      },
      TEST_MS,
    );

    test('colours are switched on an open page', () => expectSwitchedColours(visitor), TEST_MS);
  });
}

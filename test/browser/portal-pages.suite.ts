import { waitFor } from '../setup/wait-for.js';
import { TEST_MS, Visitor } from './browser.js';
import { expectSoon } from './expect-soon.js';
import { openPortal, portalLink } from './portal-door.js';
import { expectSound, expectSwitchedColours, findings } from './sound-page.js';
import { AS_NUMBERS, expectToSort } from './sorted-tables.js';
import type { Stage } from './stage.js';

/** Refusals that a page may get: it asks for the price of data that is not paid for. */
const PRICES = /^412 \/portal\/v1\/views$/;

export function describePortalPages(stage: Stage): void {
  describe('the pages of the portal', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openPortal(stage, stage.demoId);
    }, TEST_MS);

    afterAll(() => stage.clear());

    test(
      'a link opens the portal once, and does not stay in the address',
      async () => {
        const link = await portalLink(stage.service, stage.demoId, 'viewer');
        const [first, second] = [
          await Visitor.arrive(stage.browser),
          await Visitor.arrive(stage.browser),
        ];
        await first.page.goto(link);
        await first.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
        await expectSoon(() => Promise.resolve(first.page.url()), `${new URL(link).origin}/`);
        await first.page.getByText('view only').first().waitFor();
        await second.page.goto(link);
        await second.page.getByRole('heading', { name: 'Open the portal with a link' }).waitFor();
        expect(await findings(second.page)).toEqual([]);
        expect([...first.complaints, ...second.complaints]).toEqual([]);
        await Promise.all([first.leave(), second.leave()]);
      },
      TEST_MS,
    );

    test(
      'input keeps the session at the service alive, and 30 minutes without any sign out',
      async () => {
        const { page } = await Visitor.arrive(stage.browser);
        await page.clock.install();
        await page.goto(await portalLink(stage.service, stage.demoId));
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
        await page.clock.fastForward('11:00');
        const asked = page.waitForRequest(`**/portal/v1/session`);
        await page.mouse.move(10, 10);
        expect((await asked).method()).toBe('GET');
        await page.clock.fastForward('30:00');
        await page.getByRole('heading', { name: 'Open the portal with a link' }).waitFor();
        await page.context().close();
      },
      TEST_MS,
    );

    test(
      'whatever a page must not do is noticed',
      async () => {
        const { page, complaints } = await openPortal(stage, stage.demoId);
        await page.evaluate(`{
        const picture = document.createElement('img');
        picture.src = 'http://127.0.0.1:9/pixel.png';
        document.body.append(picture);
        setTimeout(() => { throw new Error('thrown by a page'); });
      }`);
        await waitFor('the complaints', () => complaints.join().includes('thrown by a page'));
        await waitFor('the policy', () => complaints.join().includes('Policy: img-src'));
        expect(await findings(page)).toEqual([
          expect.stringContaining('image-alt'),
          expect.stringContaining('region'),
        ]);
        await page.context().close();
      },
      TEST_MS,
    );

    test('colours are switched on an open page', () => expectSwitchedColours(visitor), TEST_MS);

    const expectGood = (path: string, heading: string | RegExp): Promise<void> =>
      expectSound(visitor, path, heading, PRICES);

    test.each([
      ['/', 'Overview'],
      ['/weeks', 'Weeks'],
      ['/windows', 'Weeks'],
      ['/usage', 'Usage'],
      ['/calls', 'Calls'],
      ['/calls?order=asc&from=2026-99-99', 'Calls'],
      ['/usage?from=2026-99-99', 'Usage'],
      ['/refusals', 'Refused calls'],
      ['/disputes', 'Disputes'],
      ['/reconciliation', 'Reconciliation'],
      ['/prices', 'Prices'],
      ['/savings?month=2026-10', 'Usage'],
      ['/savings?month=2026-99', 'Usage'],
      ['/refusals?code=%5B1%5D', 'Refused calls'],
      ['/explorer', 'Explorer'],
      ['/explorer?tab=quote', 'Explorer'],
      ['/usage?by=key&compare=none&sort=-credits&q=us', 'Usage'],
      ['/usage?by=window,kind&only=kind:base', 'Usage'],
      ['/calls?order=credits', 'Calls'],
      ['/budgets', 'Budgets & alerts'],
      ['/api-keys', 'API keys'],
      ['/sessions', 'Team'],
      ['/webhooks', 'Webhooks'],
      ['/invoices', 'Billing'],
      ['/credits', 'Get credits'],
      ['/month', 'This month'],
      ['/payments', 'Payments'],
      ['/statement', 'Statement'],
      ['/billing', 'Billing details'],
      ['/no/such/page', /./],
    ])('the page %s is sound: no error, nothing foreign, nothing in the way', expectGood, TEST_MS);

    test(
      'the overview and the weeks expect the same of the next Tuesday',
      async () => {
        const { page } = visitor;
        const expected = async (path: string, heading: string, what: RegExp) => {
          await page.goto(new URL(path, page.url()).href);
          await visitor.atRest(heading);
          const credits = async () =>
            what.exec(await page.locator('main').first().innerText())?.[1] ?? '';
          await expectSoon(credits, expect.stringMatching(/\d/));
          return credits();
        };
        const credits = await expected('/', 'Overview', /next Tuesday[^]*?([\d,]+)\s+credits/);
        const weeks = /([\d,]+) credits[^]*?expected for first calls/;
        expect(await expected('/weeks', 'Weeks', weeks)).toBe(credits);
      },
      TEST_MS,
    );

    test(
      'the head of a column of numbers sorts a table by the largest first, and turns it round',
      async () => {
        const { page } = visitor;
        await page.goto(new URL('/usage?by=resource', page.url()).href);
        await visitor.atRest('Usage');
        const sums = page.getByRole('region', { name: 'Usage' });
        await expectToSort(sums, 'Calls', AS_NUMBERS);
      },
      TEST_MS,
    );

    test(
      'the calls are turned round by their time, by keyboard too, and the focus stays',
      async () => {
        const { page } = visitor;
        await page.goto(new URL('/calls', page.url()).href);
        await visitor.atRest('Calls');
        const head = page.getByRole('button', { name: /^Time/ });
        const time = () => page.locator('tbody time').first().getAttribute('datetime');
        const newest = (await time()) ?? '';
        await head.press('Enter');
        await waitFor('the oldest call', async () => ((await time()) ?? newest) < newest);
        expect(new URL(page.url()).search).toBe('?order=asc');
        expect(await head.evaluate((button) => button.matches(':focus'))).toBe(true);
        await page.keyboard.press('Enter');
        await waitFor('the newest call', async () => (await time()) === newest);
      },
      TEST_MS,
    );

    test(
      'a log is matched with the calls, and a difference leads to the call that can be disputed',
      async () => {
        const { page } = visitor;
        const calls = `/accounts/${stage.demoId}/calls?order=desc&limit=1`;
        const [call] = (await stage.service.admin(calls)).body['items'] as Record<
          string,
          unknown
        >[];
        const row = `${String(call?.['at'])},${String(call?.['key'])},${String(call?.['call_id'])},7`;
        const send = (text: string) =>
          page
            .getByLabel('Log', { exact: true })
            .setInputFiles({ name: 'log.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
        await page.goto(new URL('/reconciliation', page.url()).href);
        await visitor.atRest('Reconciliation');
        await send(`time,url,call_id,credits\n${row}\nsoon,/v1,,\n`);
        await page.getByText('Line 3: The time "soon"').waitFor();
        expect(visitor.refusals.splice(0)).toEqual(['400 /portal/v1/reconciliations']);
        await send(`time,url,call_id,credits\n${row}\n`);
        await page.getByText('0 of 1 row agree').waitFor();
        const missing = '2026-01-01T00:00:00Z,/v1/latest/cat1/trends/top5/popindex/us/beauty';
        await send(`time,url,call_id,credits\n${row}\n${missing},,\n`);
        await page.getByText('0 of 2 rows agree').waitFor();
        await page.getByRole('button', { name: 'Dispute', exact: true }).click();
        await page.getByRole('button', { name: 'Open the dispute' }).click();
        await visitor.atRest('Disputes');
        await page.getByText('Line 3 of our log has no call here').waitFor();
        await page.goBack();
        await page.getByRole('link', { name: 'Explain or dispute' }).first().click();
        await page.getByRole('button', { name: 'Dispute this call', exact: true }).waitFor();
      },
      TEST_MS,
    );

    test(
      'a statement and its calls are verified in the page, and a changed one does not hold',
      async () => {
        const { page } = visitor;
        const month = new Date(new Date().setUTCDate(0)).toISOString().slice(0, 7);
        const own = `/accounts/${stage.demoId}`;
        const statement = await stage.service.admin(`${own}/statements/${month}`);
        const files = [{ name: 'statement.json', mimeType: 'application/json' }];
        await page.goto(new URL('/statement', page.url()).href);
        await visitor.atRest('Statement');
        await page.getByRole('button', { name: `Verify ${month}`, exact: true }).click();
        await page.getByText(`The statement of ${month} holds.`).waitFor();
        const drop = page.getByLabel('Statement and calls');
        const text = JSON.stringify(statement.body);
        for (const [content, verdict] of [
          [text, 'holds'],
          [text.replace('"opening_balance":', '"opening_balance":1'), 'does not hold'],
        ] as const) {
          await drop.setInputFiles(
            files.map((file) => ({ ...file, buffer: Buffer.from(content) })),
          );
          await page.getByText(`The statement of ${month} ${verdict}.`).waitFor();
        }
      },
      TEST_MS,
    );

    test(
      'a call that is explained and an invoice with its calls are sound too',
      async () => {
        const { body: calls } = await stage.service.admin(
          `/accounts/${stage.demoId}/calls?limit=1`,
        );
        const [{ call_id: callId = '' } = {}] = calls['items'] as { call_id?: string }[];
        await expectGood(`/calls?call=${callId}`, 'Calls');
        const { body: invoices } = await stage.service.admin(
          `/invoices?account_id=${stage.demoId}`,
        );
        const [{ number = '' } = {}] = invoices['items'] as { number?: string }[];
        await expectGood(`/invoices/${number}`, `Invoice ${number}`);
      },
      TEST_MS,
    );
  });
}

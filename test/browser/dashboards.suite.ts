import type { Locator, Page } from 'playwright-core';
import type { Answer, Customer } from '../setup/service.js';
import { TEST_MS, Visitor } from './browser.js';
import { expectSoon } from './expect-soon.js';
import { openPortal } from './portal-door.js';
import type { Stage } from './stage.js';

const TRENDS = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const BRANDS = '/v1/latest/cat1/brands/top5/popindex/us/beauty';
const LOOKS_A_MINUTE = 60;

export function describeDashboards(stage: Stage): void {
  describe('the dashboards that answers link to', () => {
    /** A customer that has paid for the listing of trends. */
    let customer: Customer;
    let ofCategory: string;
    let ofBrand: string;

    beforeAll(async () => {
      const other = await stage.service.customer(10_000);
      const [, brand = ''] = /"brand_id":"([^"]+)"/.exec((await other.get(BRANDS)).text) ?? [];
      ofBrand = linkIn(await other.get(`/v1/latest/brand/timeseries/popindex/us/${brand}`));
      customer = await stage.service.customer(10_000);
      ofCategory = linkIn(await customer.get(TRENDS));
    }, TEST_MS);

    afterEach(() => stage.clear());

    const linkIn = ({ body }: Answer): string =>
      String((body['data'] as Record<string, unknown>)['dashboard']);

    const panel = (page: Page, title: string): Locator =>
      page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: title, exact: true, level: 2 }) });

    const balance = async (of: Customer) => (await of.get('/v1/account')).body['balance'];

    async function open(link: string, role: 'viewer' | 'manager', of = customer): Promise<Visitor> {
      const visitor = await openPortal(stage, of.accountId, role);
      await visitor.page.goto(link);
      return visitor;
    }

    test.each([
      ['category', () => ofCategory, 'Beauty'],
      ['brand', () => ofBrand, 'Volume over time'],
    ])(
      'without a session the page of a %s is a way in, asks for nothing and shows nothing',
      async (_, link, name) => {
        const stranger = await Visitor.arrive(stage.browser);
        const { page } = stranger;
        const asked: string[] = [];
        page.on('request', (request) => asked.push(new URL(request.url()).pathname));
        await page.goto(link());
        await page.getByRole('heading', { name: 'Open the portal with a link' }).waitFor();
        await expectSoon(
          () => Promise.resolve(asked.filter((path) => path.startsWith('/portal/'))),
          ['/portal/v1/session', '/portal/v1/session/ways'],
        );
        expect(stranger.refusals).toEqual(['401 /portal/v1/session']);
        expect(await page.getByText(name, { exact: true }).count()).toBe(0);
      },
      TEST_MS,
    );

    test(
      'what the account has paid for is shown free, and what it has not with its price and a button',
      async () => {
        const before = await balance(customer);
        const visitor = await open(ofCategory, 'manager');
        const { page } = visitor;
        await visitor.atRest('Beauty');
        const trends = panel(page, 'Trends');
        await trends.getByText('looking is free').waitFor();
        await expectSoon(() => trends.getByRole('row').count(), 1 + 5);
        const brands = panel(page, 'Brands');
        const pull = brands.getByRole('button', { name: 'Pull for 35 credits', exact: true });
        await pull.waitFor();
        expect(await brands.getByRole('table').count()).toBe(0);
        expect(await balance(customer)).toBe(before);

        await pull.click();
        await brands.getByText('This call cost 35 credits').waitFor();
        const callId = await brands.locator('code').innerText();
        await expectSoon(() => brands.getByRole('row').count(), 1 + 5);
        const { body: call } = await customer.get(`/v1/calls/${callId}`);
        expect(call).toMatchObject({ call_id: callId, kind: 'base', credits_used: 35 });
        await brands.getByRole('link', { name: callId }).click();
        await page.getByRole('dialog').getByText('10 + 25').waitFor();
        expect(visitor.complaints).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'a brand has its volume over time, pulled once and free from then on',
      async () => {
        const visitor = await open(ofBrand, 'manager');
        const { page } = visitor;
        const volume = panel(page, 'Volume over time');
        await volume.getByRole('button', { name: 'Pull for 1,760 credits', exact: true }).click();
        await volume.getByText('This call cost 1,760 credits').waitFor();
        const left = await balance(customer);
        await page.reload();
        await volume.getByText('looking is free').waitFor();
        await volume.getByText('The 48 numbers').click();
        await expectSoon(() => volume.getByRole('row').count(), 1 + 48);
        expect(await balance(customer)).toBe(left);
        expect(visitor.complaints).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'a viewer sees the price and learns who may pull',
      async () => {
        const other = await stage.service.customer(10_000);
        const visitor = await open(ofBrand, 'viewer', other);
        const volume = panel(visitor.page, 'Volume over time');
        await volume.getByText('1,760 credits', { exact: true }).waitFor();
        await volume.getByText('A manager can pull it.').waitFor();
        expect(await volume.getByRole('button').count()).toBe(0);
      },
      TEST_MS,
    );

    test(
      'a look too many in a minute is refused in words, and can be asked for again',
      async () => {
        const eager = await stage.service.customer(100);
        await eager.get(TRENDS);
        const visitor = await openPortal(stage, eager.accountId);
        const { page } = visitor;
        const look = `fetch('/portal/v1/views?path=' + encodeURIComponent('${TRENDS}'))`;
        const looks = `Promise.all(Array.from({ length: ${LOOKS_A_MINUTE} }, () => ${look}
        .then(({ status }) => status)))`;
        expect(new Set(await page.evaluate<number[]>(looks))).toEqual(new Set([200]));
        await page.goto(ofCategory);
        const trends = panel(page, 'Trends');
        await trends.getByRole('alert').waitFor();
        await trends.getByRole('button', { name: 'Try again', exact: true }).waitFor();
        expect(await trends.getByRole('table').count()).toBe(0);
        expect(visitor.refusals).toContain('429 /portal/v1/views');
        expect(await balance(eager)).toBe(65);
      },
      TEST_MS,
    );
  });
}

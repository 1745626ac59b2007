import { parse } from 'csv-parse/sync';
import { AdminStage } from '../admin/admin-stage.suite.js';
import { SELLER, TOP_5 } from '../invoicing/invoicing-stage.suite.js';

let stage: AdminStage;
let buying: string;

/** A customer that bought 1,000 credits for 125,000 yen and used 35 of them in November. */
beforeAll(async () => {
  stage = await AdminStage.open();
  stage.now = Date.parse('2025-11-24T09:00:00Z');
  buying = await stage.prepaid({ currency: 'JPY' }, 1_000, 125_000);
  await stage.account({ name: 'Without credits' });
  await stage.call(buying, { resource: TOP_5 });
  stage.now = Date.parse('2025-12-02T10:00:00Z');
});

afterAll(async () => {
  expect(stage.errors).toEqual([]);
  await stage.close();
});

describe('the credit liability', () => {
  const value = (credits: number, amount: number) => ({ credits, amount });

  it('lists for each purchased grant its movements, and adds it up by currency', async () => {
    const { json } = await stage.get('/exports/credit-liability?month=2025-11');
    const parts = {
      opening: value(0, 0),
      sold: value(1_000, 125_000),
      used: value(35, 4_375),
      expired: value(0, 0),
      voided: value(0, 0),
      closing: value(965, 120_625),
    };
    expect(json).toMatchObject({
      month: '2025-11',
      final: true,
      items: [{ account_id: buying, currency: 'JPY', ...parts }],
      totals: [{ currency: 'JPY', ...parts }],
    });
  });

  it('goes on from month to month, and shows a running one as far as it has come', async () => {
    const grants = await stage.get(`/accounts/${buying}/grants`);
    const [grant] = grants.json['items'] as { id: string }[];
    stage.now += 1_000;
    await stage.call(buying, { resource: TOP_5 });
    const read = async () =>
      (await stage.get('/exports/credit-liability?month=2025-12')).json as {
        final: boolean;
        items: object[];
      };
    const running = await read();
    expect(running.final).toBe(false);
    expect(running.items).toMatchObject([
      { opening: value(965, 120_625), used: value(35, 4_375), closing: value(930, 116_250) },
    ]);
    await stage.ask('DELETE', `/admin/v1/accounts/${buying}/grants/${grant?.id}`);
    expect((await read()).items).toMatchObject([
      { used: value(35, 4_375), voided: value(930, 116_250), closing: value(0, 0) },
    ]);
  });

  it('is what the revenue schedule defers, month by month', async () => {
    await stage.ask('PUT', '/admin/v1/seller', { body: { ...SELLER, breakage_percent: 12.5 } });
    const path = '/exports/revenue-schedule?from=2025-10&to=2025-11';
    const november = {
      month: '2025-11',
      currency: 'JPY',
      final: true,
      opening: 0,
      sold: 125_000,
      refunded: 0,
      used: 4_375,
      breakage: 0,
      closing: 120_625,
      closed_accounts: 0,
      recognised: 4_375,
      expected_breakage: 15_078,
    };
    expect((await stage.get(path)).json).toEqual({ breakage_percent: 12.5, items: [november] });
    const csv = parse((await stage.get(path, { accept: 'text/csv' })).text, { columns: true });
    expect(csv).toMatchObject([{ month: '2025-11', closing: '120625', recognised_minor: '4375' }]);
    for (const months of ['from=2025-11&to=2025-10', 'from=2020-01&to=2025-11', 'from=2025-13']) {
      expect((await stage.get(`/exports/revenue-schedule?${months}`)).status).toBe(400);
    }
    expect((await stage.get('/exports/revenue-schedule?from=2025-11&to=2026-02')).status).toBe(400);
  });

  it('comes as CSV with the totals at its end', async () => {
    const path = '/exports/credit-liability?month=2025-11&test=true';
    const rows = parse((await stage.get(path, { accept: 'text/csv' })).text, {
      columns: true,
    }) as Record<string, string>[];
    expect(rows.map(({ type, currency }) => [type, currency])).toEqual([
      ['grant', 'JPY'],
      ['total', 'JPY'],
    ]);
    expect(rows[1]).toMatchObject({ used_credits: '35', used_amount: '4375' });
    const none = await stage.get('/exports/credit-liability?month=2025-09');
    expect(none.json).toEqual({ month: '2025-09', final: true, items: [], totals: [] });
  });

  it('takes a month that has begun, and reports all faults at once', async () => {
    const faults = async (query: string) => {
      const { status, json } = await stage.get(`/exports/credit-liability${query}`);
      const names = (json['parameters'] as { name: string }[]).map(({ name }) => name);
      return [status, names];
    };
    expect(await faults('?format=csv')).toEqual([400, ['format', 'month']]);
    expect(await faults('?month=2926-01')).toEqual([400, ['month']]);
  });
});

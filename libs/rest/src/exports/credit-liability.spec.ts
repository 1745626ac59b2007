import { parse } from 'csv-parse/sync';
import { idOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { completeParties, SELLER, TOP_5 } from '../../../../test/setup/invoicing-stage.js';

const stage = adminStage();
let buying: string;

/** A customer that bought 1,000 credits for 125,000 yen and used 35 of them in November. */
beforeAll(async () => {
  stage.now = Date.parse('2025-11-24T09:00:00Z');
  buying = await stage.prepaid({ currency: 'JPY' }, 1_000, 125_000);
  await stage.account({ name: 'Without credits' });
  await stage.call(buying, { resource: TOP_5 });
  stage.now = Date.parse('2025-12-02T10:00:00Z');
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

  it.each([
    '/exports/credit-liability?month=2025-11',
    '/exports/revenue-schedule?from=2025-10&to=2025-11',
    '/exports/invoices?issued_month=2025-12&format=csv',
    '/exports/invoices?month=2025-11&format=focus',
  ])('says how far the log was read: %s', async (path) => {
    const { rows } = await stage.pool.query<{ text: string }>(
      `select string_agg(lane || ':' || position, ' ' order by lane) as text
         from lane where position > 0`,
    );
    const { headers } = await stage.get(path);
    expect(headers['log-positions']).toBe(rows[0]?.text);
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

  it('keeps the credits of a closed account until they expire, as the schedule does', async () => {
    const leaving = await stage.account({ currency: 'EUR' });
    const expires_at = '2026-01-15T00:00:00Z';
    const purchase = { credits: 100, kind: 'purchased', price: 1_000, expires_at };
    await stage.post(`/accounts/${leaving}/grants`, purchase);
    await stage.ask('POST', `/admin/v1/accounts/${leaving}/close`);
    stage.now = Date.parse('2026-02-01T10:00:00Z');
    const read = async (month: string) => {
      const { json } = await stage.get(`/exports/credit-liability?month=${month}`);
      const items = json['items'] as { account_id: string }[];
      const of = await stage.get(`/exports/revenue-schedule?from=${month}&to=${month}`);
      const rows = (of.json as unknown as { items: { currency: string }[] }).items;
      return [
        items.find((one) => one.account_id === leaving),
        rows.find((row) => row.currency === 'EUR'),
      ];
    };
    expect(await read('2025-12')).toMatchObject([
      { sold: value(100, 1_000), closing: value(100, 1_000), account_closed: true },
      { sold: 1_000, breakage: 0, closing: 1_000, closed_accounts: 1_000 },
    ]);
    expect(await read('2026-01')).toMatchObject([
      { opening: value(100, 1_000), expired: value(100, 1_000), closing: value(0, 0) },
      { opening: 1_000, breakage: 1_000, closing: 0, closed_accounts: 0 },
    ]);
  });

  it('ends with the refund of a closed account, which the journal books and no revenue knows', async () => {
    stage.now = Date.parse('2026-03-02T10:00:00Z');
    const leaving = await stage.account({ currency: 'CHF' });
    const tax = { category: 'S', rate_percent: 20 };
    await completeParties(stage, leaving, { tax });
    const purchase = { credits: 100, kind: 'purchased', price: 1_000 };
    const grant = idOf(await stage.post(`/accounts/${leaving}/grants`, purchase));
    await stage.post(`/accounts/${leaving}/api-keys`, { label: 'Production' });
    await stage.call(leaving, { resource: TOP_5 });
    await stage.ask('POST', `/admin/v1/accounts/${leaving}/close`);
    const of = async (month: string) => {
      const { json } = await stage.get(`/exports/credit-liability?month=${month}`);
      const { text } = await stage.get(`/exports/invoices?format=journal&month=${month}`);
      const rows = parse(text, { columns: true }) as Record<string, string>[];
      const own = rows.filter((row) => row['account_id'] === leaving);
      const booked: Record<string, number> = {};
      for (const { ledger_account: code = '', debit_minor: debit, credit_minor: credit } of own) {
        booked[code] = (booked[code] ?? 0) + Number(debit) - Number(credit);
      }
      const items = json['items'] as { account_id: string; closing: { amount: number } }[];
      return [items.find((one) => one.account_id === leaving), booked] as const;
    };
    stage.now = Date.parse('2026-04-02T10:00:00Z');
    const [march, bookedInMarch] = await of('2026-03');
    expect(march).toMatchObject({ closing: value(65, 650), account_closed: true });
    expect(bookedInMarch).toEqual({ 1200: 1_200, 1210: 0, 2200: -200, 2400: -650, 4020: -350 });

    const gone = await stage.ask('DELETE', `/admin/v1/accounts/${leaving}/grants/${grant}`);
    expect(gone.status).toBe(200);
    const [april, bookedInApril] = await of('2026-04');
    expect(april).toMatchObject({
      opening: value(65, 650),
      voided: value(65, 650),
      closing: value(0, 0),
    });
    expect(bookedInApril).toEqual({ 1200: -780, 1210: 0, 2200: 130, 2400: 650 });
    const schedule = await stage.get('/exports/revenue-schedule?from=2026-04&to=2026-04');
    const { items } = schedule.json as unknown as { items: { currency: string }[] };
    expect(items.find(({ currency }) => currency === 'CHF')).toMatchObject({
      refunded: 650,
      recognised: 0,
      closing: 0,
      closed_accounts: 0,
    });
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

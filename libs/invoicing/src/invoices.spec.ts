import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { itemsOf } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import {
  BUYER,
  call,
  customer,
  DECEMBER,
  invoiced,
  moveClock,
  numbersOf,
  SELLER,
  TOP_5,
} from '../../../test/setup/invoicing-stage.js';

const stage = adminStage();

describe('the invoice of a month', () => {
  it('is issued as the month closes, with the lines, the tax and the dates that follow', async () => {
    await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
    const id = await customer(stage);
    await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: BUYER });
    await call(stage, id);
    await moveClock(stage, id, DECEMBER);
    const [number = ''] = await numbersOf(stage, id);
    expect(number).toMatch(/^TEST-INV-\d{6}$/);
    const { json } = await stage.get(`/invoices/${number}`);
    // 50,045 credits, 1,000 included: 49,045 × 12.50 / 1,000 = 613.0625, half even to 613.06.
    expect(json).toMatchObject({
      number,
      type: 'invoice',
      account_id: id,
      month: '2026-11',
      period: { from: '2026-11-01', to: '2026-11-30' },
      currency: 'EUR',
      issue_date: '2026-12-01',
      due_date: '2026-12-15',
      seller: { name: 'Index GmbH', iban: 'AT611904300234573201', payment_days: 14 },
      buyer: BUYER,
      lines: [
        { n: 1, type: 'usage', rule: 'all beauty trends', kind: 'base', calls: 1, credits: 50_000 },
        { n: 2, type: 'usage', rule: 'top 5', kind: 'base', calls: 1, credits: 35 },
        { n: 3, type: 'usage', rule: 'top 5', kind: 'repeat', calls: 1, credits: 10 },
        { n: 4, type: 'covered', credits: -1_000 },
        { n: 5, type: 'overage', billed_credits: 49_045, amount: 61_306 },
        { n: 6, type: 'fee', amount: 4_900 },
      ],
      net: 66_206,
      tax_breakdown: [{ category: 'S', rate_percent: 19, taxable: 66_206, tax: 12_579 }],
      tax: 12_579,
      total: 78_785,
      state: { status: 'issued', paid: 0, credited: 0, due: 78_785 },
      credit_notes: [],
      payments: [],
    });
    const events = itemsOf(await stage.get(`/accounts/${id}/events`));
    const close = events.find(({ type }) => type === 'MonthClosed');
    const closed = close?.['data'] as Record<string, unknown>;
    expect(json['account_head']).toBe(closed['account_head']);
    expect(json['account_version']).toEqual(closed['account_version']);
  });

  it('is served for ever as it was issued, whatever is changed since', async () => {
    const { id, number } = await invoiced(stage);
    const bytes = async (format: string): Promise<[unknown, string]> => {
      const { status, headers, text } = await stage.get(`/invoices/${number}.${format}`);
      expect(status).toBe(200);
      return [headers['repr-digest'], text];
    };
    const formats = ['json', 'csv', 'pdf'];
    const before = await Promise.all(formats.map(bytes));
    await stage.ask('PUT', '/admin/v1/seller', { body: { ...SELLER, name: 'Another GmbH' } });
    await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body: BUYER });
    expect(await Promise.all(formats.map(bytes))).toEqual(before);
    expect(JSON.parse(before[0]?.[1] ?? '')).not.toHaveProperty('state');
  });

  it('is returned as the media type that the client accepts', async () => {
    const { number } = await invoiced(stage);
    const accepted = async (accept: string): Promise<unknown[]> => {
      const { status, headers } = await stage.get(`/invoices/${number}`, { accept });
      return [status, headers['content-type'], headers['repr-digest']];
    };
    const pdf = await stage.get(`/invoices/${number}.pdf`);
    expect(await accepted('application/pdf')).toEqual([
      200,
      'application/pdf',
      pdf.headers['repr-digest'],
    ]);
    const json = [200, 'application/json; charset=utf-8', undefined];
    expect(await accepted('application/json')).toEqual(json);
    expect(await accepted('*/*')).toEqual(json);
    expect((await accepted('image/png'))[0]).toBe(406);
  });

  it('has no XML where the standard does not allow one, and says what is missing', async () => {
    const { number } = await invoiced(stage, { currency: 'KWD' });
    const { status, json } = await stage.get(`/invoices/${number}.xml`);
    expect([status, json['code']]).toEqual([409, 'conflict']);
    expect(json['missing']).toEqual([
      expect.objectContaining({ party: 'document', pointer: '/currency' }),
    ]);
  });

  it('is none without a fee, an overage or a purchase, and one for a purchase alone', async () => {
    const idle = await customer(stage, { plan: null });
    await stage.post(`/accounts/${idle}/grants`, { credits: 5, kind: 'promotional' });
    await moveClock(stage, idle, DECEMBER);
    expect(await numbersOf(stage, idle)).toEqual([]);
    const buying = await customer(stage, { plan: null });
    const grant = { credits: 1_000, kind: 'purchased', price: 1_500 };
    await stage.post(`/accounts/${buying}/grants`, grant);
    await moveClock(stage, buying, DECEMBER);
    const [number] = await numbersOf(stage, buying);
    expect((await stage.get(`/invoices/${number}`)).json).toMatchObject({
      lines: [{ type: 'purchase', granted_credits: 1_000, amount: 1_500 }],
      tax_breakdown: [{ category: 'O', rate_percent: 0, tax: 0 }],
      total: 1_500,
    });
  });

  it('comes for each of several months that a test clock passes at once', async () => {
    const id = await customer(stage);
    await call(stage, id);
    await moveClock(stage, id, '2027-02-01T00:00:00Z');
    const list = itemsOf(await stage.get(`/invoices?account_id=${id}`));
    expect(list.map(({ month, issue_date: date, total }) => [month, date, total])).toEqual([
      ['2026-11', '2026-12-01', 78_785],
      ['2026-12', '2027-01-01', 5_831],
      ['2027-01', '2027-02-01', 5_831],
    ]);
    const numbers = list.map(({ number }) => Number(String(number).slice(-6)));
    expect(numbers).toEqual([0, 1, 2].map((more) => (numbers[0] ?? 0) + more));
  });

  it('is listed for accounts, of which the stream of the system is none', async () => {
    expect(itemsOf(await stage.get(`/invoices?account_id=${SYSTEM_ACCOUNT}`))).toEqual([]);
  });
});

describe('a list of all accounts', () => {
  it.each(['/invoices', '/credit-notes'])(
    '%s says how far it lags when its rows cannot keep up, and that of one account never does',
    async (path) => {
      await stage.get(path);
      await stage.projections.stop();
      const id = await stage.account();
      const behind = await stage.ask('GET', `/admin/v1${path}`, { mayLag: true });
      const own = await stage.get(`${path}?account_id=${id}`);
      stage.projections.start();
      expect(Number(behind.headers['projection-lag'])).toBeGreaterThan(0);
      expect(own.headers['projection-lag']).toBeUndefined();
      expect((await stage.get(path)).headers['projection-lag']).toBeUndefined();
    },
  );
});

describe('a call at the edge of a month', () => {
  it('is in the month of its moment, a millisecond before the end and at the start of the next', async () => {
    const id = await customer(stage);
    const last = '2026-11-30T23:59:59.999Z';
    await moveClock(stage, id, last);
    const before = await stage.call(id, { at: Date.parse(last), resource: TOP_5 });
    await moveClock(stage, id, DECEMBER);
    const after = await stage.call(id, { at: Date.parse(DECEMBER), resource: TOP_5 });
    await moveClock(stage, id, '2027-01-01T00:00:00Z');
    const [november, december] = await numbersOf(stage, id);
    const lines = await Promise.all(
      [before, after].map(async (made) => (await stage.get(`/calls/${made.id}`)).json),
    );
    expect(lines.map((call) => call['invoice_line'])).toEqual([
      { number: november, line: 1 },
      { number: december, line: 1 },
    ]);
  });
});

describe('a line', () => {
  it('names the exact calls behind it, and each call names its line', async () => {
    const { number, calls } = await invoiced(stage);
    const behind = async (line: number) =>
      itemsOf(await stage.get(`/invoices/${number}/lines/${line}/calls`)).map(
        ({ call_id: callId }) => callId,
      );
    expect([await behind(1), await behind(2), await behind(3)]).toEqual(calls.map((id) => [id]));
    // The included credits paid for a part of the first call.
    expect(await behind(4)).toEqual([calls[0]]);
    const { json } = await stage.get(`/calls/${calls[2]}`);
    expect(json['invoice_line']).toEqual({ number, line: 3 });
    expect((await stage.get(`/invoices/${number}/lines/5/calls`)).status).toBe(404);
    const csv = await stage.get(`/invoices/${number}/lines/1/calls`, { accept: 'text/csv' });
    expect(csv.text.split('\r\n')).toHaveLength(3);
  });

  it('is none yet for a call whose month is not invoiced', async () => {
    const id = await customer(stage);
    const [first] = await call(stage, id);
    expect((await stage.get(`/calls/${first}`)).json['invoice_line']).toBeNull();
  });
});

describe('the month so far', () => {
  it('is drafted as it would be issued now, with what it will come to', async () => {
    const id = await customer(stage);
    await call(stage, id);
    const { json } = await stage.get(`/accounts/${id}/invoices/draft`);
    expect(json).toMatchObject({
      type: 'draft',
      month: '2026-11',
      issue_date: '2026-12-01',
      net: 66_206,
      total: 78_785,
      lines: [{}, {}, {}, {}, { billed_credits: 49_045 }, {}],
    });
    // A repeat a day on six days more: the next Tuesday is in December.
    const more = 60;
    expect(json['forecast']).toMatchObject({
      credits_used: 50_045 + more,
      billed_credits: 49_045 + more,
    });
    await moveClock(stage, id, DECEMBER);
    const after = await stage.get(`/accounts/${id}/invoices/draft`);
    expect(after.json).toMatchObject({ month: '2026-12', net: 4_900, lines: [{ type: 'fee' }] });
  });

  it('is what is issued then', async () => {
    const id = await customer(stage);
    await stage.post(`/accounts/${id}/grants`, { credits: 300, kind: 'purchased', price: 900 });
    await call(stage, id);
    await stage.post(`/accounts/${id}/adjustments`, { credits: -70, reason: 'Test.' });
    await stage.post(`/accounts/${id}/adjustments`, { credits: 40, reason: 'Goodwill.' });
    const { json: draft } = await stage.get(`/accounts/${id}/invoices/draft`);
    await moveClock(stage, id, DECEMBER);
    const number = (await numbersOf(stage, id)).at(-1);
    const { json: issued } = await stage.get(`/invoices/${number}`);
    expect(issued['lines']).toEqual(draft['lines']);
    expect(issued['total']).toBe(draft['total']);
  });
});

describe('a run', () => {
  it('issues what is due of real accounts once, however often it runs', async () => {
    const id = await customer(stage, { test_clock: undefined });
    await call(stage, id);
    stage.now = Date.parse('2026-12-03T10:00:00Z');
    const first = await stage.post('/invoice-runs', { month: '2026-11' });
    expect(first.json).toMatchObject({ issued: 1, failed: 0, failures: [] });
    const [number] = await numbersOf(stage, id);
    expect(number).toBe('INV-000001');
    const { json } = await stage.get(`/invoices/${number}`);
    expect(json).toMatchObject({ issue_date: '2026-12-03', due_date: '2026-12-17' });
    const second = await stage.post('/invoice-runs', { month: '2026-11' });
    expect(second.json['issued']).toBe(0);
    expect(second.json['skipped']).toBe(Number(first.json['skipped']) + 1);
    const one = await stage.post('/invoice-runs', { month: '2026-11', account_id: id });
    expect(one.json).toMatchObject({ issued: 0, skipped: 1, failed: 0, failures: [] });
  });

  it('refuses a month that has not ended', async () => {
    const id = await customer(stage, { test_clock: undefined });
    const run = await stage.post('/invoice-runs', { month: '2027-03', account_id: id });
    expect(run.status).toBe(409);
    expect(run.json['detail']).toContain('2027-03 has not ended');
  });
});

import { itemsOf, type Answered } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import {
  caughtUp,
  call,
  customer,
  DECEMBER,
  invoiced,
  moveClock,
  PLAN,
  SELLER,
} from '../../../test/setup/invoicing-stage.js';

const stage = adminStage();

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

/** State of an invoice of 787.85: 613.06 for usage, 49.00 a month, and 19 % tax. */
async function stateOf(number: string): Promise<unknown> {
  return (await stage.get(`/invoices/${number}`)).json['state'];
}

function credit(number: string, body: object, key?: string): Promise<Answered> {
  return stage.post(`/invoices/${number}/credit-notes`, { reason: 'Agreed.', ...body }, key);
}

describe('a credit note', () => {
  it('takes back parts of lines, then calls, then what is left, and never more', async () => {
    const { id, number, calls } = await invoiced(stage);
    const part = await credit(number, { lines: [{ line: 6, amount: 900 }] });
    expect(part.status).toBe(201);
    expect(part.headers['location']).toBe(`/admin/v1/credit-notes/${String(part.json['number'])}`);
    expect(part.json).toMatchObject({
      type: 'credit_note',
      account_id: id,
      month: '2026-11',
      issue_date: '2026-12-01',
      invoice: { number, issue_date: '2026-12-01' },
      reason: 'Agreed.',
      lines: [{ n: 1, line: 6, amount: -900 }],
      net: -900,
      tax: -171,
      total: -1_071,
    });
    expect(part.json['number']).toMatch(/^TEST-CN-\d{6}$/);
    // A call of 35 credits: 0.4375, half even to 0.44.
    const call = await credit(number, { call_ids: [calls[1]] });
    expect(call.json).toMatchObject({ lines: [{ line: 5, amount: -44, call_id: calls[1] }] });
    const rest = await stage.post(`/invoices/${number}/void`);
    const due = 78_785 + Number(part.json['total']) + Number(call.json['total']);
    expect(rest.json).toMatchObject({ reason: 'The invoice is void.', total: -due });
    expect(await stateOf(number)).toEqual({
      status: 'credited',
      paid: 0,
      credited: 78_785,
      due: 0,
    });
    const again = await stage.post(`/invoices/${number}/void`);
    expect([again.status, again.json['code']]).toEqual([409, 'conflict']);
    const notes = itemsOf(await stage.get(`/credit-notes?account_id=${id}`));
    const made = [part, call, rest].map(({ json }) => json['number']);
    expect(notes.map((note) => note['number'])).toEqual(made);
    const { json } = await stage.get(`/invoices/${number}`);
    expect(json['credit_notes']).toEqual(made);
    const { credits_taken_back: _taken, credits_kept: _kept, ...document } = part.json;
    expect((await stage.get(`/credit-notes/${String(made[0])}`)).json).toEqual(part.json);
    expect((await stage.get(`/credit-notes/${String(made[0])}.json`)).json).toEqual(document);
  });

  it('takes back of a call that part only which was billed', async () => {
    const { number, calls } = await invoiced(stage);
    // Included credits have paid for 1,000 of 50,000.
    const first = await credit(number, { call_ids: [calls[0]] });
    const line = { line: 5, amount: -61_250, call_id: calls[0] };
    expect(first.json).toMatchObject({ lines: [line], net: -61_250 });
    const { json } = await stage.get(`/calls/${calls[0]}`);
    expect(json).toMatchObject({ credits_used: 50_000, overdraft_credits: 49_000 });
  });

  it('of a call that credits have paid for is refused', async () => {
    const plan = { ...PLAN, included_credits: 50_000 };
    const { number, calls } = await invoiced(stage, { plan });
    const refused = await credit(number, { call_ids: [calls[0]] });
    expect([refused.status, refused.json['code']]).toEqual([409, 'conflict']);
    expect(refused.json['errors']).toMatchObject([{ pointer: '/call_ids/0' }]);
  });

  it('states what of it is set off, and what was paid and is refunded', async () => {
    const { number } = await invoiced(stage);
    await stage.post(`/invoices/${number}/payments`, { amount: 78_000 });
    const part = await credit(number, { lines: [{ line: 6, amount: 900 }] });
    expect(part.json).toMatchObject({ total: -1_071, settlement: { set_off: 785, refund: 286 } });
    const rest = await credit(number, {});
    expect(rest.json).toMatchObject({ settlement: { set_off: 0, refund: 77_714 } });
  });

  it('happens once under a key, and is answered again', async () => {
    const { id, number } = await invoiced(stage);
    const whole = await credit(number, {}, 'whole');
    const again = await credit(number, {}, 'whole');
    expect(again.json).toEqual(whole.json);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(itemsOf(await stage.get(`/credit-notes?account_id=${id}`))).toHaveLength(1);
    const other = await credit(number, { lines: [{ line: 6, amount: 1 }] }, 'whole');
    expect([other.status, other.json['code']]).toEqual([422, 'idempotency-conflict']);
  });

  it('of two at once takes back what is left once', async () => {
    const { number } = await invoiced(stage);
    const answers = await Promise.all([1, 2, 3, 4].map(() => credit(number, {})));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409]);
    expect(await stateOf(number)).toMatchObject({ credited: 78_785 });
  });

  it.each<[string, object, number, string[]]>([
    ['a line that is not there', { lines: [{ line: 9, amount: 1 }] }, 400, ['/lines/0']],
    [
      'one twice, and one without credits',
      {
        lines: [
          { line: 6, amount: 1 },
          { line: 6, amount: 1 },
          { line: 1, credits: 5 },
        ],
      },
      400,
      ['/lines/1', '/lines/2'],
    ],
    ['more than a line', { lines: [{ line: 6, amount: 4_901 }] }, 409, ['/lines/0']],
    ['lines and calls at once', { lines: [{ line: 6, amount: 1 }], call_ids: [] }, 400, []],
    ['an amount and credits', { lines: [{ line: 5, amount: 1, credits: 1 }] }, 400, ['/lines/0']],
    [
      'a call of nobody',
      { call_ids: ['0197c000-0000-7000-8000-000000000000'] },
      400,
      ['/call_ids/0'],
    ],
    ['nothing said', { reason: ' ' }, 400, ['/reason']],
  ])('of %s is refused', async (_what, body, status, pointers) => {
    const { number } = await invoiced(stage);
    const refused = await credit(number, body);
    expect(refused.status).toBe(status);
    const errors = (refused.json['errors'] ?? []) as { pointer: string }[];
    const found = errors.map(({ pointer }) => pointer);
    for (const pointer of pointers) expect(found).toContain(pointer);
    expect(await stateOf(number)).toMatchObject({ credited: 0 });
  });

  it('gives a call back where an adjustment no longer can, and not both', async () => {
    const { id, number, calls } = await invoiced(stage);
    const adjustment = { credits: 10, reason: 'Test.', call_id: calls[2] };
    const late = await stage.post(`/accounts/${id}/adjustments`, adjustment);
    expect([late.status, late.json['code']]).toEqual([409, 'conflict']);
    const note = await credit(number, { call_ids: [calls[2]] });
    expect(note.status).toBe(201);
    expect((await credit(number, { call_ids: [calls[2]] })).status).toBe(409);
    const { json: explained } = await stage.get(`/calls/${calls[2]}`);
    expect(explained).toMatchObject({ adjusted_by: null, credited_by: [note.json['number']] });
    expect((await stage.get(`/calls/${calls[1]}`)).json['credited_by']).toEqual([]);
  });
});

describe('a payment', () => {
  const pay = (number: string, body: object, key?: string): Promise<Answered> =>
    stage.post(`/invoices/${number}/payments`, body, key);

  it('brings what is due nearer to nothing', async () => {
    const { number } = await invoiced(stage);
    const first = await pay(number, { amount: 8_785, reference: 'RF18' }, 'one');
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({
      invoice_number: number,
      amount: 8_785,
      currency: 'EUR',
      date: '2026-12-01',
      reference: 'RF18',
      state: { status: 'partly_paid', paid: 8_785, due: 70_000 },
    });
    expect((await pay(number, { amount: 8_785, reference: 'RF18' }, 'one')).json).toEqual(
      first.json,
    );
    const more = await pay(number, { amount: 70_001 });
    expect([more.status, more.json['due']]).toEqual([409, 70_000]);
    const last = await pay(number, { amount: 70_000, date: '2026-11-30' });
    expect(last.json['state']).toMatchObject({ status: 'paid', due: 0 });
    const { json } = await stage.get(`/invoices/${number}`);
    expect(json['payments']).toMatchObject([{ amount: 8_785 }, { date: '2026-11-30' }]);
    const paid = itemsOf(await stage.get(`/invoices?status=paid`));
    expect(paid.map((invoice) => invoice['number'])).toContain(number);
  });

  it('is taken back when it bounced, and what was never paid is not', async () => {
    const { number } = await invoiced(stage);
    await pay(number, { amount: 78_785 });
    const tooMuch = await pay(number, { amount: -78_786 });
    expect([tooMuch.status, tooMuch.json['due']]).toEqual([409, 0]);
    expect(tooMuch.json['detail']).toBe(
      'Nothing is due, and at most EUR 787.85 can be taken back.',
    );
    const bounced = await pay(number, { amount: -78_785, reference: 'Returned' });
    expect(bounced.json['state']).toMatchObject({ status: 'issued', paid: 0, due: 78_785 });
    const listed = itemsOf(await stage.get('/invoices?status=issued'));
    expect(listed.map((invoice) => invoice['number'])).toContain(number);
    expect((await pay(number, { amount: -1 })).status).toBe(409);
    const again = await pay(number, { amount: 78_785 });
    expect(again.json['state']).toMatchObject({ status: 'paid', due: 0 });
  });

  it('has a date that has come', async () => {
    const { number } = await invoiced(stage);
    const { status, json } = await pay(number, { amount: 1, date: '2026-12-02' });
    expect([status, json['code']]).toEqual([400, 'invalid-body']);
    expect((await pay('no-number', { amount: 1 })).status).toBe(400);
  });
});

describe('an invoice that nobody pays', () => {
  it('is overdue the day after its due date, which is reported once', async () => {
    const { id, number } = await invoiced(stage);
    await moveClock(stage, id, '2026-12-15T23:59:59Z');
    expect(await stateOf(number)).toMatchObject({ status: 'issued' });
    await moveClock(stage, id, '2026-12-16T00:00:00Z');
    expect(await stateOf(number)).toMatchObject({ status: 'overdue', due: 78_785 });
    await moveClock(stage, id, '2026-12-17T00:00:00Z');
    const events = itemsOf(await stage.get(`/accounts/${id}/events`));
    const reported = events.filter(({ type }) => type === 'InvoiceOverdue');
    expect(reported).toMatchObject([{ at: '2026-12-16T00:00:00.000Z', data: { due: 78_785 } }]);
    await stage.post(`/invoices/${number}/payments`, { amount: 78_785 });
    expect(await stateOf(number)).toMatchObject({ status: 'paid' });
  });

  it('is never reported as overdue once it was paid, in the last second of its due date too', async () => {
    const { id, number } = await invoiced(stage);
    await moveClock(stage, id, '2026-12-15T23:59:59Z');
    await stage.post(`/invoices/${number}/payments`, { amount: 78_785 });
    await moveClock(stage, id, '2026-12-17T00:00:00Z');
    expect(await stateOf(number)).toMatchObject({ status: 'paid', due: 0 });
    const events = itemsOf(await stage.get(`/accounts/${id}/events`));
    expect(events.map(({ type }) => type)).toContain('PaymentRecorded');
    expect(events.map(({ type }) => type)).not.toContain('InvoiceOverdue');
  });

  it('of a real account is found by its due date', async () => {
    const id = await customer(stage, { test_clock: undefined });
    await call(stage, id);
    stage.now = Date.parse(DECEMBER);
    await stage.post('/invoice-runs', { month: '2026-11' });
    stage.now = Date.parse('2026-12-16T00:00:00Z');
    await caughtUp(stage);
    const candidates = await stage.invoicing.overdue.candidates();
    expect(candidates).toEqual([id]);
    expect(await stage.invoicing.overdue.report(id)).toBe(1);
    await caughtUp(stage);
    expect(await stage.invoicing.overdue.candidates()).toEqual([]);
  });
});

import { AdminStage, type Answered } from '../../../../test/setup/admin-stage.js';
import {
  call,
  customer,
  DECEMBER,
  moveClock,
  numbersOf,
} from '../../../../test/setup/invoicing-stage.js';
import { focusFaults, focusRowsOf } from './focus-rules.suite.js';

describe('what a credit note takes back', () => {
  let stage: AdminStage;
  let id: string;
  let bought: Answered;

  beforeAll(async () => {
    stage = await AdminStage.open();
  });

  afterAll(async () => {
    expect(stage.errors).toEqual([]);
    await stage.close();
  });

  beforeEach(async () => {
    id = await customer(stage);
    const grant = { credits: 100_000, kind: 'purchased', price: 12_345, priority: 1 };
    bought = await stage.post(`/accounts/${id}/grants`, grant);
  });

  const voidGrant = () =>
    stage.ask('DELETE', `/admin/v1/accounts/${id}/grants/${String(bought.json['id'])}`, {
      body: { reason: 'Returned.' },
    });
  const voidInvoice = (number: unknown, reissue: boolean) =>
    stage.post(`/invoices/${String(number)}/void`, { reason: 'A wrong name.', reissue });
  const nextMonth = () => moveClock(stage, id, DECEMBER);

  /** Of each document that costs something, after the first: its type, class and prices. */
  async function correctionsOf(month = '2026-11'): Promise<unknown[]> {
    const rows = focusRowsOf(await stage.get(`/accounts/${id}/exports/focus?month=${month}`));
    expect(rows.flatMap(focusFaults)).toEqual([]);
    return rows
      .filter((row) => row['ChargeCategory'] !== 'Usage' && row['BilledCost'] !== '0.00')
      .filter((row) => row['InvoiceId'] !== bought.json['invoice_number'])
      .map((row) =>
        ['ChargeCategory', 'ChargeClass', 'PricingQuantity', 'PricingUnit', 'BilledCost'].map(
          (name) => row[name],
        ),
      );
  }

  const LESS = '-1';

  it('in the billing period of its invoice is no correction, and has a price', async () => {
    await voidGrant();
    expect(await correctionsOf()).toEqual([
      ['Purchase', null, LESS, '100000 Credits', '-123.45'],
      ['Tax', null, null, null, '-23.46'],
    ]);
  });

  it('of a part has the price of the part', async () => {
    await call(stage, id);
    await voidGrant();
    const [[category, kind, quantity, name] = [] as never] = (await correctionsOf()) as string[][];
    expect([category, kind, quantity, name]).toEqual(['Purchase', null, LESS, 'Part of the line']);
  });

  it('after that period is a correction', async () => {
    await nextMonth();
    await voidGrant();
    const rows = (await correctionsOf()) as string[][];
    expect(rows.filter(([, kind]) => kind === 'Correction')).toEqual([
      ['Purchase', 'Correction', LESS, '100000 Credits', '-123.45'],
      ['Tax', 'Correction', null, null, '-23.46'],
    ]);
  });

  it('and what is issued again in that period are no corrections', async () => {
    await voidInvoice(bought.json['invoice_number'], true);
    expect(await correctionsOf()).toEqual([
      ['Purchase', null, '1', '100000 Credits', '123.45'],
      ['Tax', null, null, null, '23.46'],
      ['Purchase', null, LESS, '100000 Credits', '-123.45'],
      ['Tax', null, null, null, '-23.46'],
    ]);
  });

  it('of a month, and the invoice that replaces it, are corrections', async () => {
    await call(stage, id);
    await nextMonth();
    const last = (await numbersOf(stage, id)).at(-1);
    await voidInvoice(last, true);
    const rows = (await correctionsOf()) as string[][];
    const classes = rows.map(([category, kind, quantity, , cost]) => [
      category,
      kind,
      quantity,
      Number(cost) > 0,
    ]);
    expect(classes).toEqual([
      ['Purchase', null, '1', true],
      ['Tax', null, null, true],
      ['Purchase', 'Correction', '1', true],
      ['Tax', 'Correction', null, true],
      ['Purchase', 'Correction', LESS, false],
      ['Tax', 'Correction', null, false],
    ]);
  });
});

import { adminStage } from '../../../test/setup/stages.js';
import { customer } from '../../../test/setup/invoicing-stage.js';

const stage = adminStage();

/** The number of the invoice of a purchase. */
async function sold(id: string, price: number): Promise<string> {
  const body = { credits: 1_000, kind: 'purchased', price };
  return String((await stage.post(`/accounts/${id}/grants`, body)).json['invoice_number']);
}

async function pay(path: string, amount: number): Promise<void> {
  expect((await stage.post(path, { amount })).status).toBe(201);
}

it('shows on an invoice what became of the rest of a payment', async () => {
  const id = await customer(stage, { plan: undefined });
  const numbers = [await sold(id, 1_000), await sold(id, 2_000)];
  await pay(`/accounts/${id}/payments`, 3_400);
  const [first = '', second = ''] = numbers;
  expect((await stage.get(`/invoices/${first}`)).json['payments']).toMatchObject([
    { amount: 1_000, received: { amount: 3_400, other_invoices: 2_000, credit_balance: 400 } },
  ]);
  const third = await sold(id, 5_000);
  await pay(`/invoices/${third}/payments`, 4_600);
  const payments = (await stage.get(`/invoices/${third}`)).json['payments'] as object[];
  expect(payments.map((one) => 'received' in one)).toEqual([false, false]);
  expect((await stage.get(`/invoices/${second}`)).json['payments']).toMatchObject([
    { amount: 2_000, received: { other_invoices: 1_000 } },
  ]);
});

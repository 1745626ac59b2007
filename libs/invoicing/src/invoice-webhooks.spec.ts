import { AdminStage } from '../../../test/setup/admin-stage.js';
import { Receiver } from '#deliveries/receiver.suite.js';
import {
  call,
  customer,
  DECEMBER,
  moveClock,
  numbersOf,
} from '../../../test/setup/invoicing-stage.js';
import { waitFor } from '../../../test/setup/wait-for.js';

let stage: AdminStage;
let receiver: Receiver;

beforeAll(async () => {
  stage = await AdminStage.open();
  receiver = await Receiver.start();
  stage.deliveries.worker.start();
});

afterAll(async () => {
  await stage.deliveries.worker.stop(1_000);
  await receiver.close();
  await stage.close();
  expect(stage.errors).toEqual([]);
});

it('a webhook of an account receives its invoices, and of nobody else’s', async () => {
  const [id, other] = [await customer(stage), await customer(stage)];
  await stage.post('/webhooks', { url: receiver.url(), account_id: id });
  for (const one of [other, id]) {
    await call(stage, one);
    await moveClock(stage, one, DECEMBER);
    const [number = ''] = await numbersOf(stage, one);
    await stage.post(`/invoices/${number}/payments`, { amount: 100, reference: 'Ada Ltd' });
    const lines = [{ line: 6, amount: 100 }];
    await stage.post(`/invoices/${number}/credit-notes`, { reason: 'Ada asked.', lines });
    await moveClock(stage, one, '2026-12-16T00:00:00Z');
  }
  const [number = ''] = await numbersOf(stage, id);
  const types = ['invoice.issued', 'payment.recorded', 'credit_note.issued', 'invoice.overdue'];
  const received = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .filter(({ type }) => types.includes(String(type)));
  await waitFor('the deliveries', () => received().length >= types.length);
  expect(received().map(({ subject }) => subject)).toEqual(types.map(() => id));
  const dataOf = (type: string) => received().find((event) => event['type'] === type)?.['data'];
  expect(dataOf('invoice.issued')).toMatchObject({
    account_id: id,
    number,
    month: '2026-11',
    total: 78_785,
  });
  expect(dataOf('credit_note.issued')).toMatchObject({ invoice_number: number, total: -119 });
  expect(dataOf('payment.recorded')).toMatchObject({ amount: 100, date: '2026-12-01' });
  expect(dataOf('invoice.overdue')).toMatchObject({ due: 78_566 });
  expect(JSON.stringify(received())).not.toContain('Ada');
  expect(received().find(({ type }) => type === 'invoice.issued')?.['time']).toBe(
    '2026-12-01T00:00:00.000Z',
  );
});

const NO_INVOICE = '00000000-0000-0000-0000-000000000000';

it('a webhook receives what is paid, used, paid back and written off', async () => {
  const id = await customer(stage, { plan: null });
  await stage.post('/webhooks', { url: receiver.url(), account_id: id });
  await stage.post(`/accounts/${id}/payments`, { amount: 700, reference: 'Ada Ltd' });
  await stage.post(`/accounts/${id}/refunds`, { amount: 100, reference: 'Ada Ltd' });
  const sold = { credits: 1_000, kind: 'purchased', price: 1_000 };
  const { json } = await stage.post(`/accounts/${id}/grants`, sold);
  const reason = 'Ada is insolvent.';
  await stage.post(`/accounts/${id}/write-offs`, { number: json['invoice_number'], reason });
  const expected = {
    'payment.recorded': {
      amount: 700,
      invoice_id: NO_INVOICE,
      applied: [],
      credit_balance_change: 700,
    },
    'refund.recorded': { amount: 100, applied: [], credit_balance_change: -100 },
    'credit_balance.applied': { amount: 600, invoice_id: json['invoice_id'] },
    'write_off.recorded': { amount: 400, invoice_id: json['invoice_id'] },
  };
  const received = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .filter(({ type, subject }) => subject === id && Object.hasOwn(expected, String(type)));
  await waitFor('the deliveries', () => received().length >= Object.keys(expected).length);
  for (const { type, data } of received()) {
    expect(data).toMatchObject(expected[type as keyof typeof expected]);
  }
  expect(
    received()
      .map(({ type }) => String(type))
      .toSorted(),
  ).toEqual(Object.keys(expected).toSorted());
  expect(JSON.stringify(received())).not.toContain('Ada');
});

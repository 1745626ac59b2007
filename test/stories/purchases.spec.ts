import { KILLS } from '../setup/long.js';
import { ADMIN_TOKEN, ask, BUYER, Service, type Answer, type Customer } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';

const PURCHASES = 12;

let service: Service;
let customers: readonly Customer[];

beforeAll(async () => {
  service = await Service.start();
  const billing = { ...BUYER, tax: { category: 'O', rate_percent: 0 } };
  const opened = Array.from({ length: 3 }, () => service.customer(0, { currency: 'EUR' }, billing));
  customers = await Promise.all(opened);
}, 120_000);

afterAll(() => service.stop());

/** The same purchase each time it is asked for. */
function buy(n: number): Promise<Answer> {
  const { accountId } = customers[n % customers.length] as Customer;
  return ask(`${service.adminUrl}/admin/v1/accounts/${accountId}/grants`, ADMIN_TOKEN, {
    method: 'POST',
    body: { credits: 1_000 + n, kind: 'purchased', price: 12_500 + n },
    headers: { 'idempotency-key': `purchase-${n}` },
  });
}

/** Buys some things at once, and kills the service at the first answer. */
async function buyUntilKilled(wanted: readonly number[]): Promise<void> {
  let killed: Promise<unknown> | undefined;
  const asked = wanted.map(async (n) => {
    await buy(n).catch(() => null);
    killed ??= service.process.stop('SIGKILL');
  });
  await Promise.all(asked);
  await killed;
  await service.restart();
}

test('each purchase has one invoice, and no number is left out, whenever the service is killed', async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await buyUntilKilled(Array.from({ length: PURCHASES }, (_, n) => kill * PURCHASES + n));
  }
  const numbers: string[] = [];
  for (let n = 0; n < KILLS * PURCHASES; n += 1) {
    const { status, body, text } = await buy(n);
    if (status !== 201) throw new Error(text);
    const { body: invoice } = await service.admin(`/invoices/${String(body.invoice_number)}`);
    expect(invoice).toMatchObject({ id: body.invoice_id, net: 12_500 + n });
    numbers.push(String(body.invoice_number));
  }
  const given = numbers.map((number) => Number(number.slice('INV-'.length)));
  expect(given.toSorted((one, other) => one - other)).toEqual(given.map((_, index) => index + 1));
  const { body } = await service.admin('/invoices?limit=1000&test=false');
  expect((body.items as unknown[]).length).toBe(numbers.length);

  await service.admin('/verify', undefined, 'POST');
  const verification = async () => (await service.admin('/verify')).body;
  const isDone = async () => (await verification()).status !== 'running';
  await waitFor('the verification', isDone, 60_000);
  expect(await verification()).toMatchObject({ status: 'done', intact: true });
}, 240_000);

import { randomUUID } from 'node:crypto';
import { KILLS } from '../setup/long.js';
import { ADMIN_TOKEN, ask, BUYER, Service, type Answer, type Customer } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';

/** How a purchase is taken back: by its invoice, whose credits are kept or not, or by its grant. */
const WAYS = ['void', 'void and keep', 'void the grant'] as const;
const EACH = 2;
const TOTAL = KILLS * WAYS.length * EACH;

interface Purchase {
  readonly way: (typeof WAYS)[number];
  readonly credits: number;
  readonly grantId: string;
  readonly number: string;
}

let service: Service;
let customer: Customer;
let purchases: readonly Purchase[];

beforeAll(async () => {
  service = await Service.start();
  const billing = { ...BUYER, tax: { category: 'O', rate_percent: 0 } };
  customer = await service.customer(0, { currency: 'EUR' }, billing);
  const bought: Purchase[] = [];
  for (let n = 0; n < TOTAL; n += 1) {
    const credits = 1_000 + n;
    const sold = { credits, kind: 'purchased', price: 10 * credits };
    const { body } = await service.admin(`/accounts/${customer.accountId}/grants`, sold);
    const way = WAYS[n % WAYS.length] ?? 'void';
    bought.push({ way, credits, grantId: String(body.id), number: String(body.invoice_number) });
  }
  purchases = bought;
}, 120_000);

afterAll(() => service.stop());

/** The same change each time it is asked for under the same key. */
function takeBack({ way, grantId, number }: Purchase, key = `back-${grantId}`): Promise<Answer> {
  const [method, path, body] =
    way === 'void the grant'
      ? ['DELETE', `/accounts/${customer.accountId}/grants/${grantId}`, { reason: 'Wrong.' }]
      : ['POST', `/invoices/${number}/void`, { keep_credits: way === 'void and keep' }];
  return ask(`${service.adminUrl}/admin/v1${path}`, ADMIN_TOKEN, {
    method,
    body,
    headers: { 'idempotency-key': key },
  });
}

/** Takes some back at once, and kills the service at the first answer. */
async function takeBackUntilKilled(wanted: readonly Purchase[]): Promise<void> {
  let killed: Promise<unknown> | undefined;
  const asked = wanted.map(async (purchase) => {
    await takeBack(purchase).catch(() => null);
    killed ??= service.process.stop('SIGKILL');
  });
  await Promise.all(asked);
  await killed;
  await service.restart();
}

async function eventsOf(type: string): Promise<readonly Record<string, unknown>[]> {
  const { body } = await service.admin(`/accounts/${customer.accountId}/events?limit=1000`);
  const events = body.items as { type: string; data: Record<string, unknown> }[];
  return events.filter((event) => event.type === type).map(({ data }) => data);
}

test('a purchase is credited once and its credits go or stay once, whenever the service is killed', async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const part = TOTAL / KILLS;
    await takeBackUntilKilled(purchases.slice(kill * part, (kill + 1) * part));
  }
  for (const purchase of purchases) {
    const { way, credits } = purchase;
    const isKept = way === 'void and keep';
    const { status, body, text } = await takeBack(purchase);
    if (status >= 300) throw new Error(text);
    expect(body.credits_taken_back).toBe(isKept ? 0 : credits);
    if (way === 'void the grant') expect(body).toMatchObject({ refund: 10 * credits });
    else expect(body).toMatchObject({ net: -10 * credits, credits_kept: isKept ? credits : 0 });
    // Another change finds nothing left to take.
    const again = await takeBack(purchase, randomUUID());
    if (way === 'void the grant') expect(again.body.credits_taken_back).toBe(0);
    else expect(again.status).toBe(409);
  }
  const numbered = async () => (await service.admin('/credit-notes?limit=1000')).body;
  const items = async () => (await numbered()).items as { invoice_number: string }[];
  await waitFor('every credit note', async () => (await items()).length >= TOTAL, 60_000);
  const credited = (await items()).map((note) => note.invoice_number);
  expect(credited.toSorted()).toEqual(purchases.map(({ number }) => number).toSorted());

  const voided = await eventsOf('GrantVoided');
  const grants = voided.map((data) => String(data['grant_id']));
  expect(grants.toSorted()).toEqual(purchases.map(({ grantId }) => grantId).toSorted());
  const kept = purchases.filter(({ way }) => way === 'void and keep').map(({ credits }) => credits);
  const granted = (await eventsOf('CreditsGranted')).filter(({ kind }) => kind === 'promotional');
  const left = granted.map(({ credits }) => Number(credits));
  expect(left.toSorted((one, other) => one - other)).toEqual(kept);
  const { body: account } = await service.admin(`/accounts/${customer.accountId}`);
  expect(account.balance).toBe(kept.reduce((sum, credits) => sum + credits, 0));

  await service.admin('/verify', undefined, 'POST');
  const verification = async () => (await service.admin('/verify')).body;
  const isDone = async () => (await verification()).status !== 'running';
  await waitFor('the verification', isDone, 60_000);
  expect(await verification()).toMatchObject({ status: 'done', intact: true });
}, 240_000);

import { Calendar } from '#calendar/calendar.js';
import { formatInstant } from '#calendar/instant.js';
import type { Window } from '#calendar/window.js';
import { Service, type Answer, type Customer, type ServiceClient } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { waitFor } from '../setup/wait-for.js';

const PLENTY = 1_000_000;
const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const RULES = [
  { name: 'top 5', match: { limit: 'top5' }, data_cost: { flat: 88 } },
  { name: 'all', match: {}, data_cost: { per_row: 9 } },
];
const calendar = new Calendar('UTC');

/** One process that does everything, and two more on the same database. */
let service: Service;
let split: SplitService;
/** Far enough away for a card, whenever this runs. */
let coming: Window;

beforeAll(async () => {
  service = await Service.start();
  split = await SplitService.start(service.databaseUrl);
  const next = calendar.nextWindow(calendar.windowAt(Date.now()));
  coming = calendar.nextWindow(next);
  const card = { effective_window: coming.label, call_cost: 12, rules: RULES };
  const { status, body } = await service.admin('/rate-cards', card);
  expect([status, body.version]).toEqual([201, 2]);
}, 180_000);

afterAll(async () => {
  await split.stop();
  await service.stop();
});

/** A customer with a test clock that stands a second before the coming window. */
function waiting(account: Readonly<Record<string, unknown>> = {}): Promise<Customer> {
  const clock = formatInstant(coming.startsAt - 1_000);
  return service.customer(PLENTY, { test_clock: clock, ...account });
}

async function turn({ accountId }: Customer): Promise<void> {
  await service.moveClock(accountId, formatInstant(coming.startsAt));
}

/** The same customer, who calls the API of other processes. */
function elsewhere({ accountId, apiKey }: Customer, client: ServiceClient): Customer {
  return client.customerWith(accountId, apiKey);
}

async function creditsOf(customer: Customer, path = TOP_5): Promise<number> {
  const { status, body, text } = await customer.get(path);
  if (status !== 200) throw new Error(text);
  return Number(body.credits_used);
}

/** A call in a window for which a card is published afterwards. */
async function calledBeforeItsCard(): Promise<void> {
  const window = calendar.nextWindow(coming);
  const customer = await waiting();
  await service.moveClock(customer.accountId, formatInstant(window.startsAt));
  expect(await creditsOf(customer)).toBe(100);
  const card = { effective_window: window.label, call_cost: 50, rules: RULES };
  expect((await service.admin('/rate-cards', card)).status).toBe(201);
  expect(await creditsOf(customer)).toBe(12);
}

async function quoted({ client }: Customer): Promise<unknown> {
  const { items } = (await client.quote([TOP_5])) as { items: unknown[] };
  return items[0];
}

describe('a rate card for a week to come', () => {
  it('changes prices at the first instant of that week, and not before', async () => {
    const customer = await waiting();
    expect(await quoted(customer)).toMatchObject({ credits: 35, next_window_credits: 100 });
    expect([await creditsOf(customer), await creditsOf(customer)]).toEqual([35, 10]);
    await turn(customer);
    expect(await quoted(customer)).toMatchObject({ credits: 100, next_window_credits: 100 });
    expect([await creditsOf(customer), await creditsOf(customer)]).toEqual([100, 12]);
  });

  it('prices what past weeks held, too: a key that was paid for costs the new call cost', async () => {
    const customer = await waiting();
    const { body } = await customer.get(TOP_5);
    await turn(customer);
    expect(await creditsOf(customer, String(body.key))).toBe(12);
  });

  it('is named by each call that it prices, with its rule', async () => {
    const customer = await waiting();
    await turn(customer);
    const { headers } = await customer.get(TOP_5);
    const { body } = await customer.get(`/v1/calls/${headers.get('call-id')}`);
    expect(body).toMatchObject({ rate_card: 2, rule: 'top 5', call_cost: 12, data_cost: 88 });
  });

  it('does not touch an account that has a card of its own', async () => {
    const customer = await waiting({ rate_card: 1 });
    expect(await quoted(customer)).toMatchObject({ credits: 35, next_window_credits: 35 });
    expect(await creditsOf(customer)).toBe(35);
    await turn(customer);
    expect([await creditsOf(customer), await creditsOf(customer)]).toEqual([35, 10]);
  });

  it('prices the same in other processes', async () => {
    const customer = await waiting();
    const other = elsewhere(customer, split);
    expect(await creditsOf(other)).toBe(35);
    await turn(customer);
    expect(await creditsOf(other)).toBe(100);
    expect(await creditsOf(customer)).toBe(12);
  });

  it('does not price the running week', async () => {
    const customer = await service.customer(PLENTY);
    expect(await creditsOf(customer)).toBe(35);
  });
});

describe('a rate card that is published in one process', () => {
  it('prices at once in another one, for an account that names it', async () => {
    const published = await split.admin('/rate-cards', {
      effective_window: null,
      call_cost: 1,
      rules: [{ name: 'all', match: {}, data_cost: { flat: 4 } }],
    });
    expect(published.status).toBe(201);
    const customer = await service.customer(PLENTY, { rate_card: published.body.version });
    expect([await creditsOf(customer), await creditsOf(elsewhere(customer, split))]).toEqual([
      5, 1,
    ]);
  });

  it('is listed by all', async () => {
    const listed = async (client: ServiceClient): Promise<unknown[]> => {
      const { body } = await client.admin('/rate-cards');
      return (body.items as { version: number }[]).map(({ version }) => version);
    };
    expect(await listed(service)).toEqual(await listed(split));
  });
});

test('no card is published for the running week or one that has passed', async () => {
  const running = calendar.windowAt(Date.now());
  for (const { label } of [running, calendar.previousWindow(running)]) {
    const card = { effective_window: label, call_cost: 1, rules: RULES };
    const { status, body } = await service.admin('/rate-cards', card);
    expect([status, body.code]).toEqual([409, 'conflict']);
  }
});

test('every charge is found to be right by the card that priced it', async () => {
  const customer = await waiting();
  await turn(customer);
  await creditsOf(customer);
  await calledBeforeItsCard();
  expect((await service.admin('/verify', undefined, 'POST')).status).toBe(202);
  const verification = async (): Promise<Answer> => service.admin('/verify');
  await waitFor(
    'the verification',
    async () => (await verification()).body.status !== 'running',
    60_000,
  );
  const { body, text } = await verification();
  expect([body.status, body.intact, text]).toEqual(['done', true, text]);
}, 90_000);

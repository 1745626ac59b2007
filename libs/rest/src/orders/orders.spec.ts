import { randomUUID } from 'node:crypto';
import { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import type { Decider } from '#deciding/submission.js';
import { SystemStream } from '#event-log/system-stream.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { Profiles } from '#projections/texts/profiles.js';
import { idOf, itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { BUYER, NO_TAX, SELLER } from '../../../../test/setup/invoicing-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { Orders } from './orders.js';

const STARTER = { name: 'Starter', credits: 100_000, price: 120_000, currency: 'USD' };
const ORDER = { package: 'Starter', credits: 100_000, price: 120_000 };
const OPEN = { ended_at: null, reason: null, invoice_id: null, invoice_number: null };

const stage = adminStage();

beforeEach(() => offer({ packages: [STARTER], orders: 'approve' }));

async function offer(members: object): Promise<void> {
  const body = { ...SELLER, ...members };
  expect((await stage.ask('PUT', '/admin/v1/seller', { body })).status).toBe(200);
}

async function customer(): Promise<string> {
  const id = await stage.account({});
  const body = { ...BUYER, tax: NO_TAX };
  await stage.ask('PUT', `/admin/v1/accounts/${id}/billing`, { body });
  return id;
}

function order(account: string, members: object = {}, key?: string): Promise<Answered> {
  return stage.post(`/accounts/${account}/orders`, { ...ORDER, ...members }, key);
}

function end(account: string, id: string, how: 'accept' | 'cancel' | 'decline'): Promise<Answered> {
  const body = how === 'decline' ? { reason: 'An invoice is overdue.' } : undefined;
  return stage.post(`/accounts/${account}/orders/${id}/${how}`, body);
}

async function balanceOf(account: string): Promise<unknown> {
  return (await stage.get(`/accounts/${account}`)).json['balance'];
}

async function grantsOf(account: string): Promise<Record<string, unknown>[]> {
  return itemsOf(await stage.get(`/accounts/${account}/grants`));
}

describe('an order of credits', () => {
  it('keeps credits and price of the package, and gives nothing until it is accepted', async () => {
    const account = await customer();
    const made = await order(account);
    expect([made.status, made.json]).toMatchObject([
      201,
      { ...ORDER, ...OPEN, account_id: account, currency: 'USD', status: 'open' },
    ]);
    await offer({ packages: [{ ...STARTER, price: 999 }], orders: 'approve' });
    expect(await balanceOf(account)).toBe(0);
    const accepted = await end(account, idOf(made), 'accept');
    expect(accepted.json).toMatchObject({ status: 'accepted', price: 120_000 });
    expect(await balanceOf(account)).toBe(100_000);
    expect(await grantsOf(account)).toMatchObject([
      {
        id: idOf(made),
        kind: 'purchased',
        price: 120_000,
        invoice_id: accepted.json['invoice_id'],
      },
    ]);
    const issued = await stage.invoicing.numberOf(account, String(accepted.json['invoice_id']));
    const invoice = await stage.get(`/invoices/${issued}`);
    expect(invoice.json).toMatchObject({ net: 120_000, state: { due: 120_000 } });
    const orders = await stage.get(`/accounts/${account}/orders`);
    expect(itemsOf(orders)).toMatchObject([{ status: 'accepted', invoice_number: issued }]);
  });

  it('is one at a time: asked for again it is returned, under whichever key', async () => {
    const account = await customer();
    const key = randomUUID();
    const first = await order(account, {}, key);
    const again = await Promise.all([order(account, {}, key), order(account), order(account)]);
    expect(again.map((one) => idOf(one))).toEqual([1, 2, 3].map(() => idOf(first)));
    const { json } = await stage.get(`/accounts/${account}/orders`);
    expect(json['items']).toEqual([first.json]);
  });

  it('is declined with a reason that the customer reads, or cancelled, and then over', async () => {
    const account = await customer();
    for (const [how, status, reason] of [
      ['decline', 'declined', 'An invoice is overdue.'],
      ['cancel', 'cancelled', null],
    ] as const) {
      const id = idOf(await order(account));
      const ended = await end(account, id, how);
      expect(ended.json).toMatchObject({ id, status, reason });
      for (const later of ['accept', 'decline', 'cancel'] as const) {
        expect((await end(account, id, later)).json).toMatchObject({ code: 'conflict' });
      }
    }
    expect(await balanceOf(account)).toBe(0);
  });

  it('is granted in the same append where the seller gives credits at once', async () => {
    await offer({ packages: [STARTER], orders: 'at-once' });
    const account = await customer();
    const key = randomUUID();
    const made = await Promise.all([1, 2, 3].map(() => order(account, {}, key)));
    expect(made.map(({ json }) => json)).toEqual(made.map(() => made[0]?.json));
    expect(made[0]?.json).toMatchObject({ status: 'accepted' });
    expect(await balanceOf(account)).toBe(100_000);
  });

  it('is of a package as it is offered now, in the currency of the account', async () => {
    const account = await customer();
    const details = async (members: object, offered?: object): Promise<unknown> => {
      if (offered !== undefined) await offer(offered);
      const { status, json } = await order(account, members);
      return [status, json['detail']];
    };
    expect(await details({ price: 1 })).toEqual([
      409,
      '“Starter” is 100000 credits for USD 1200.00 now, before tax: order it as it is.',
    ]);
    expect(await details({ package: 'Huge' })).toEqual([
      409,
      'No package “Huge” is offered in USD.',
    ]);
    const euros = { packages: [{ ...STARTER, currency: 'EUR' }], orders: 'approve' };
    expect(await details({}, euros)).toEqual([409, 'No package “Starter” is offered in USD.']);
    expect(await details({}, { packages: [STARTER] })).toEqual([
      409,
      'No orders are taken: ask the provider for credits.',
    ]);
  });

  it('waits in the list of open ones, with the name of its account', async () => {
    const account = await customer();
    const id = idOf(await order(account));
    const waiting = async () => itemsOf(await stage.get('/open-orders?limit=1000'));
    expect(await waiting()).toContainEqual(
      expect.objectContaining({ id, account_id: account, account_name: expect.any(String) }),
    );
    await end(account, id, 'cancel');
    expect((await waiting()).map((one) => one['id'])).not.toContain(id);
  });
});

it('the names of packages of one currency differ', async () => {
  const body = { ...SELLER, packages: [STARTER, STARTER, { ...STARTER, currency: 'EUR' }] };
  const { json } = await stage.ask('PUT', '/admin/v1/seller', { body });
  expect(json['errors']).toMatchObject([{ pointer: '/packages/1/name' }]);
});

class Fallen extends Error {}

/** Another process of the service, which falls before or after the log has what it decided. */
function another(falls: 'before' | 'after' | null): Orders {
  const { pool } = stage;
  const accounting: Decider = {
    submit: async (submission) => {
      if (falls === 'before') throw new Fallen();
      const answer = await stage.accounting.submit(submission);
      if (falls === 'after') throw new Fallen();
      return answer;
    },
  };
  const correctionUnder = async () => undefined;
  const clock = { now: () => stage.now };
  const profiles = new Profiles(pool);
  const changes = new AccountChanges({ accounting, profiles, clock, correctionUnder });
  const loader = new AccountLoader(pool);
  return new Orders({ changes, loader, pool, system: new SystemStream(stage.log) });
}

const change = (key: string): Change => ({
  by: 'owner',
  requestId: key,
  idempotencyKey: key,
  input: key,
});

it.each(['before', 'after'] as const)(
  'an order whose process falls %s it is recorded is made once, and granted once',
  async (falls) => {
    const account = await customer();
    const made = change(randomUUID());
    await expect(another(falls).order(account, made, ORDER)).rejects.toThrow(Fallen);
    const { view } = await another(null).order(account, made, ORDER);
    const accepting = change(randomUUID());
    await expect(another(falls).accept(account, view.id, accepting)).rejects.toThrow(Fallen);
    const ends = await Promise.allSettled(
      [accepting, accepting, change(randomUUID())].map((one) =>
        another(null).accept(account, view.id, one),
      ),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await grantsOf(account)).toMatchObject([{ id: view.id, credits: 100_000 }]);
    expect(await balanceOf(account)).toBe(100_000);
  },
);

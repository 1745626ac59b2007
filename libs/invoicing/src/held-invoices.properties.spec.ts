import fc from 'fast-check';
import { AdminStage, itemsOf } from '../../../test/setup/admin-stage.js';
import { BUYER, PLAN, SELLER } from '../../../test/setup/invoicing-stage.js';

const RUNS = 12;
const STEPS_MAX = 14;
/** A correction releases one month of an account with each pass, which issues it with the next. */
const IDLE_PASSES = 3;
const DAY_MS = 86_400_000;
const TAXES = [
  { category: 'S', rate_percent: 20 },
  { category: 'AE', rate_percent: 0 },
  { category: 'O', rate_percent: 0 },
];

type Step =
  | { readonly do: 'buy'; readonly account: number; readonly price: number }
  | { readonly do: 'pass-days'; readonly days: number }
  | { readonly do: 'seller'; readonly isRegistered: boolean }
  | {
      readonly do: 'billing';
      readonly account: number;
      readonly tax: number | null;
      readonly hasVatId: boolean;
      readonly isAtHome: boolean;
    }
  | { readonly do: 'issue' };

const account = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('buy' as const),
    account,
    price: fc.integer({ min: 1, max: 9_999 }),
  }),
  fc.record({ do: fc.constant('pass-days' as const), days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constant('seller' as const), isRegistered: fc.boolean() }),
  fc.record({
    do: fc.constant('billing' as const),
    account,
    tax: fc.option(fc.integer({ min: 0, max: TAXES.length - 1 })),
    hasVatId: fc.boolean(),
    isAtHome: fc.boolean(),
  }),
  fc.record({ do: fc.constant('issue' as const) }),
);

/** Three accounts, one of them with a plan, that live through some steps. */
class History {
  readonly accounts: string[] = [];
  private seller: object = {};

  private constructor(readonly stage: AdminStage) {}

  static async open(): Promise<History> {
    const history = new History(await AdminStage.open());
    const { stage } = history;
    for (const plan of [PLAN, null, null]) {
      history.accounts.push(await stage.account({ currency: 'EUR', plan }));
    }
    return history;
  }

  async take(one: Step): Promise<void> {
    const { stage } = this;
    switch (one.do) {
      case 'buy': {
        const sold = { credits: 10, kind: 'purchased', price: one.price };
        await stage.post(`/accounts/${this.accounts[one.account]}/grants`, sold);
        return;
      }
      case 'pass-days':
        stage.now += one.days * DAY_MS;
        await stage.closeMonths();
        return;
      case 'seller': {
        const { vat_id, ...unregistered } = SELLER;
        this.seller = one.isRegistered ? { ...unregistered, vat_id } : unregistered;
        await stage.ask('PUT', '/admin/v1/seller', { body: this.seller });
        return;
      }
      case 'billing':
        await this.bill(one);
        return;
      case 'issue':
        await this.issue();
    }
  }

  private async bill({ account: index, tax, hasVatId, isAtHome }: Step & { do: 'billing' }) {
    const body = {
      ...BUYER,
      ...(isAtHome && { address: SELLER.address }),
      ...(hasVatId && { vat_id: 'GB980780684' }),
      ...(tax !== null && { tax: TAXES[tax] }),
    };
    await this.stage.ask('PUT', `/admin/v1/accounts/${this.accounts[index]}/billing`, { body });
  }

  /** As the worker does once the projection has the facts, until there is nothing more to do. */
  async issue(): Promise<void> {
    for (let idle = 0; idle < IDLE_PASSES;) {
      const ends = new Map(
        (await this.stage.log.ends()).map(({ lane, position }) => [lane, position]),
      );
      for (const name of ['ledger', 'windows', 'invoices']) {
        await this.stage.projections.catchUp(name, ends, 30_000);
      }
      const { issued } = await this.stage.invoicing.pass(null, {});
      idle = issued === 0 ? idle + 1 : 0;
    }
  }

  /** Whatever was issued had all facts, and its number follows the one before. */
  async expectLawful(): Promise<void> {
    const issued = itemsOf(await this.stage.get('/invoices?limit=1000')).filter(
      ({ number }) => number !== null,
    );
    expect(issued.map(({ number }) => number)).toEqual(
      issued.map((_, index) => `INV-${String(index + 1).padStart(6, '0')}`),
    );
    expect(new Set(issued.map(({ id }) => id)).size).toBe(issued.length);
    for (const { number } of issued) {
      const { json } = await this.stage.get(`/invoices/${String(number)}`);
      const { seller, buyer, tax_breakdown: taxes } = json as unknown as Issued;
      expect(buyer.address?.line1).toBeDefined();
      const [{ category } = { category: '' }] = taxes;
      if (category === 'S') expect(seller.vat_id).toBeDefined();
      if (category !== 'AE') continue;
      expect(buyer.vat_id).toBeDefined();
      expect(buyer.address?.country).not.toBe(seller.address?.country);
    }
  }
}

interface Party {
  readonly vat_id?: string;
  readonly address?: { readonly line1: string; readonly country: string };
}

interface Issued {
  readonly seller: Party;
  readonly buyer: Party;
  readonly tax_breakdown: readonly { readonly category: string }[];
}

test('whenever facts are corrected, each due invoice is issued once, and none without them', async () => {
  const steps = fc.array(step, { minLength: 3, maxLength: STEPS_MAX });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const history = await History.open();
      try {
        for (const one of all) {
          await history.take(one);
          await history.expectLawful();
        }
        await history.take({ do: 'seller', isRegistered: true });
        for (const index of history.accounts.keys()) {
          const facts = { account: index, tax: 0, hasVatId: true, isAtHome: false };
          await history.take({ do: 'billing', ...facts });
        }
        await history.issue();
        await history.expectLawful();
        const { stage } = history;
        expect(itemsOf(await stage.get('/invoices?status=held'))).toEqual([]);
        const bought = all.filter((one) => one.do === 'buy').length;
        const { rows } = await stage.pool.query<{ months: number }>(
          `select count(*) as months from event where type = 'MonthClosed' and account_id = $1`,
          [history.accounts[0]],
        );
        const issued = itemsOf(await stage.get('/invoices?limit=1000'));
        expect(issued).toHaveLength(bought + (rows[0]?.months ?? 0));
        expect(stage.errors).toEqual([]);
      } finally {
        await history.stage.close();
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);

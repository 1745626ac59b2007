import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { caughtUp, completeParties, customer } from '../../../../test/setup/invoicing-stage.js';
import type { Summary } from './summary.schemas.js';

const stage = adminStage();
const SOLD = { credits: 100_000, kind: 'purchased', price: 50_000 };
let buyer: string;
let unknown: string;
let tested: string;

beforeAll(async () => {
  buyer = await stage.account({ name: 'Shampoos', currency: 'EUR' });
  await stage.post(`/accounts/${buyer}/api-keys`, { label: 'Production' });
  await completeParties(stage, buyer, { tax: { category: 'S', rate_percent: 20 } });
  await stage.post(`/accounts/${buyer}/grants`, SOLD);
  await stage.post(`/accounts/${buyer}/grants`, SOLD);
  unknown = await stage.account({ name: 'Without an address', currency: 'EUR' });
  await stage.post(`/accounts/${unknown}/grants`, { credits: 10, kind: 'purchased', price: 700 });
  await stage.account({ name: 'Empty' });
  tested = await customer(stage, { plan: undefined, currency: 'USD', name: 'Test' });
  await stage.post(`/accounts/${tested}/grants`, { credits: 20, kind: 'purchased', price: 900 });
  await stage.call(buyer);
});

async function summaryOf(query = ''): Promise<Summary> {
  stage.now += 31_000;
  await caughtUp(stage);
  await stage.get('/accounts');
  const { status, text, json } = await stage.get(`/summary${query}`);
  if (status !== 200) throw new Error(text);
  return json as unknown as Summary;
}

describe('the summary of what is to do', () => {
  it('never adds test accounts to customers', async () => {
    const own = await summaryOf();
    expect(own.test).toBe(false);
    expect(own.money.map(({ currency }) => currency)).toEqual(['EUR']);
    expect(own.credits).toMatchObject({ sold: 200_010, used: 50_000, left: 150_010 });
    const tests = await summaryOf('?test=true');
    expect(tests.test).toBe(true);
    expect(tests.money.map(({ currency }) => currency)).toEqual(['USD']);
    expect(tests.credits).toMatchObject({ sold: 20, used: 0, left: 20 });
  });

  it('counts held invoices with their amount, and names the accounts without credits', async () => {
    const { money, held_invoices, without_credits } = await summaryOf('?test=false');
    expect([held_invoices, money[0]]).toMatchObject([1, { held_invoices: 1, held_total: 700 }]);
    const first = [{ account_name: 'Empty' }];
    expect(without_credits).toMatchObject({ accounts: 1, first });
  });

  it('is net of credit notes, and owes what is left of purchased credits', async () => {
    const [before] = (await summaryOf()).money;
    // Half of one purchase is used, the other is whole, and so is that of the held invoice.
    expect(before).toMatchObject({ liability: 25_000 + 50_000 + 700 });
    expect(before?.accounts).toMatchObject([{ account_name: 'Shampoos', billed: 120_000 }]);
    const [invoice] = itemsOf(await stage.get(`/invoices?account_id=${buyer}&order=desc`));
    const voided = await stage.post(`/invoices/${String(invoice?.['number'])}/void`, {
      reason: 'Ordered twice',
    });
    expect(voided.status).toBeLessThan(300);
    const { money, credits } = await summaryOf();
    expect(money[0]?.months.at(-1)).toMatchObject({ issued: 120_000, credited: 60_000 });
    expect(money[0]?.accounts).toMatchObject([{ account_name: 'Shampoos', billed: 60_000 }]);
    expect(credits).toMatchObject({ sold: 100_010, left: 50_010 });
  });

  it('counts open disputes, and refused calls, of the accounts that are asked for', async () => {
    const { id: call } = await stage.call(buyer);
    const disputes = `/accounts/${buyer}/disputes`;
    await stage.post(disputes, { call_ids: [call], reason: 'Not us' });
    for (const account of [buyer, tested]) {
      await stage.pool.query(
        `insert into refused_call (account_id, hour, api_key_id, code, path, first_at, last_at, position, times)
         values ($1, $2, $1, 'out-of-credits', '/v1/x', $2, $2, 1, 3)`,
        [account, new Date(stage.now).toISOString()],
      );
    }
    const { open_disputes, refusals } = await summaryOf();
    expect(open_disputes).toEqual({ disputes: 1, accounts: 1 });
    expect(refusals).toMatchObject({ calls: 3, accounts: 1 });
  });
});

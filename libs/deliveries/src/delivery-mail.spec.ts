import { randomUUID } from 'node:crypto';
import { initialState } from '#account/state.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { Profiles } from '#projections/texts/profiles.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { MAIL_SERVER } from './delivery-id.js';
import { DeliveryStage } from './delivery-stage.suite.js';
import { MailServer } from './mail-server.suite.js';

const BUDGET = randomUUID();
const FROM = 'Popindex <billing@example.com>';
const CROSSED = {
  type: 'BudgetThresholdCrossed',
  data: {
    budget_id: BUDGET,
    period: '2026-11',
    limit: 50_000,
    spent: 40_010,
    threshold: 80,
    call_id: null,
  },
};

let stage: DeliveryStage;
let mails: MailServer;
let account: TestAccount;
let loader: Pick<AccountLoader, 'loadCores'>;

beforeEach(async () => {
  stage = await DeliveryStage.open();
  mails = await MailServer.start();
  account = TestAccount.inLane(7);
  const profiles = new Profiles(stage.pool);
  const name = await profiles.save(randomUUID(), account.id, { name: 'Nails & Co' });
  const emails = ['ada@example.org', 'bob@example.org'];
  const notify = await profiles.save(randomUUID(), account.id, { emails });
  const nothing = { month: null, window: null };
  const spent = { period: 'month' as const, limit: 50_000, thresholds: [80] };
  const budget = { id: BUDGET, apiKey: null, apiKeyId: null, ...spent };
  const budgets = [{ ...budget, action: 'alert', notify: notify.id, told: nothing }] as const;
  const state = { ...initialState, version: 1, profile: name.id, budgets };
  const accounts = new Map([[account.id, { state, head: '' }]]);
  loader = { loadCores: async () => ({ accounts, ends: new Map() }) };
});

afterEach(async () => {
  await stage.close();
  await mails.close();
  expect(stage.faults).toEqual([]);
});

function start(mail: { smtpUrl: string; from: string } | null): void {
  stage.worker({ sender: { loader, mail } }).start();
}

test('an alert of a budget goes to each address that the budget names, each by itself', async () => {
  start({ smtpUrl: mails.url, from: FROM });
  await stage.happen(account, [CROSSED]);
  await stage.until(MAIL_SERVER, 'delivered', 2);
  const taken = mails.taken.toSorted((one, other) => (one.to.join() < other.to.join() ? -1 : 1));
  expect(taken.map(({ to }) => to)).toEqual([['ada@example.org'], ['bob@example.org']]);
  expect(taken[0]?.source).toContain('Subject: Nails & Co: 80 % of a budget is spent');
  expect((await stage.of(MAIL_SERVER)).map(({ email, channel }) => [channel, email])).toEqual(
    expect.arrayContaining([
      ['email', 'ada@example.org'],
      ['email', 'bob@example.org'],
    ]),
  );
});

test('no address stands in a delivery or an attempt', async () => {
  mails.refused.set('ada@example.org', 550);
  start({ smtpUrl: mails.url, from: FROM });
  await stage.happen(account, [CROSSED]);
  await stage.until(MAIL_SERVER, 'delivered', 1);
  await stage.until(MAIL_SERVER, 'failed', 1);
  for (const table of ['delivery', 'delivery_attempt']) {
    const { rows } = await stage.pool.query<{ row: string }>(
      `select to_json(t)::text as row from ${table} t`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ row }) => row).join()).not.toContain('example.org');
  }
});

test('what is no alert of a budget is not sent by e-mail', async () => {
  start({ smtpUrl: mails.url, from: FROM });
  await stage.notify(account);
  await stage.happen(account, [CROSSED]);
  await stage.until(MAIL_SERVER, 'delivered', 2);
  expect(await stage.of(MAIL_SERVER)).toHaveLength(2);
});

test('without a mail server each attempt says so, and one that is set in time gets the e-mail', async () => {
  let said = 0;
  const worker = stage.worker({
    sender: { loader, mail: null, onNoMailServer: () => (said += 1) },
  });
  worker.start();
  await stage.happen(account, [CROSSED]);
  await stage.attempted(MAIL_SERVER, 2);
  for (const { attempts, status, next_attempt_at: next } of await stage.of(MAIL_SERVER)) {
    expect(attempts).toMatchObject([{ detail: 'No mail server is set (SMTP_URL).' }]);
    expect([status, next]).toEqual(['pending', expect.any(String)]);
  }
  expect(said).toBe(2);
  await worker.stop(1_000);
  start({ smtpUrl: mails.url, from: FROM });
  await stage.timePasses();
  await stage.until(MAIL_SERVER, 'delivered', 2);
  expect(mails.taken).toHaveLength(2);
});

test('an address that was erased meanwhile gets nothing', async () => {
  mails.refused.set('ada@example.org', 450);
  mails.refused.set('bob@example.org', 450);
  start({ smtpUrl: mails.url, from: FROM });
  await stage.happen(account, [CROSSED]);
  await stage.attempted(MAIL_SERVER, 2);
  mails.refused.clear();
  await stage.pool.query(`update profile set body = '{}'`);
  await stage.timePasses();
  await stage.until(MAIL_SERVER, 'failed', 2);
  expect(mails.taken).toEqual([]);
  expect((await stage.of(MAIL_SERVER)).map(({ email }) => email)).toEqual([null, null]);
});

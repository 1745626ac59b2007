import { randomUUID } from 'node:crypto';
import { callAt } from '#account/scenario.suite.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { idOf, itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const START = '2026-11-24T00:00:00Z';
const MARK = 'Mark';
/** Texts printed on an issued document, which keeps them for the legal term. */
const PRINTED = ['Buyer', 'Street', 'Mail', 'Adjusted', 'Credited'];

const stage = adminStage();
let account: string;
let webhook: string;

/** A text that stands nowhere else. */
function mark(what: string): string {
  return `${MARK}${what}`;
}

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await stage.ask('PUT', `/admin/v1${path}`, { body });
  if (status > 299) throw new Error(text);
}

async function done(path: string, body: object): Promise<string> {
  const { status, text, json } = await stage.post(path, body);
  if (status > 299) throw new Error(`${path}: ${text}`);
  return String(json['id']);
}

async function taggedCall(): Promise<string> {
  const callId = randomUUID();
  const at = Date.parse(START);
  const command = callAt(at, {
    accountId: account,
    callId,
    notAfter: stage.now + 10_000,
    tags: { [mark('tag').toLowerCase()]: mark('Value'), team: mark('Team') },
  });
  const notAfter = stage.now + 10_000;
  const answer = await stage.accounting.submit({
    accountId: account,
    callId,
    isRetry: false,
    notAfter,
    command,
  });
  if (answer.refusal !== null) throw new Error(answer.refusal.reason);
  return callId;
}

/** Says something wherever something can be said of an account. */
async function sayEverything(): Promise<void> {
  account = await stage.account({ name: mark('Name'), test_clock: START });
  const path = `/accounts/${account}`;
  await stage.ask('PATCH', `/admin/v1${path}`, {
    body: { name: mark('Renamed'), reason: mark('Change') },
  });
  await done(`${path}/api-keys`, { label: mark('Label') });
  await put(`${path}/billing`, {
    purchases: 'monthly',
    tax: { category: 'O', rate_percent: 0 },
    name: mark('Buyer'),
    email: `${mark('Mail')}@example.org`,
    address: { line1: mark('Street'), city: 'Graz', postcode: '8010', country: 'AT' },
  });
  await done(`${path}/grants`, {
    credits: 200_000,
    kind: 'purchased',
    price: 100,
    note: mark('Note'),
  });
  await put('/seller', {
    name: 'Index GmbH',
    email: 'billing@index.example',
    registration_id: 'FN 123456a',
    address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
  });
  await done(`${path}/budgets`, {
    period: 'month',
    limit_credits: 50_000,
    thresholds: [1],
    action: 'alert',
    notify: { emails: [`${mark('Alert').toLowerCase()}@example.org`] },
  });
  webhook = await done('/webhooks', {
    url: `http://127.0.0.1:9/${mark('Url')}`,
    account_id: account,
    description: mark('Described'),
  });
  await stage.post(`/webhooks/${webhook}/test`, { reason: mark('Tested') });
  await stage.post(`/webhooks/${webhook}/rotate`, { reason: mark('Rotated') });
  const call = await taggedCall();
  await taggedCall();
  await done(`${path}/adjustments`, { credits: 5, reason: mark('Adjusted'), call_id: call });
  await done(`${path}/portal-sessions`, { reason: mark('Linked') });
  expect(await reconcileOneRow()).toBe(201);
  await stage.post(`${path}/suspend`, { reason: mark('Suspended') });
  await stage.post(`${path}/resume`, { reason: mark('Resumed') });
  await stage.post(`${path}/close`, { reason: mark('Closed') });
  await stage.post(`${path}/test-clock`, { now: '2026-12-02T00:00:00Z' });
  const [invoice] = itemsOf(await stage.get(`/invoices?account_id=${account}`));
  const number = String(invoice?.['number']);
  const paid = { amount: 10, date: '2026-12-02', reference: mark('Paid') };
  await stage.post(`/invoices/${number}/payments`, paid);
  await stage.post(`/invoices/${number}/void`, { reason: mark('Credited') });
}

/** Sends a log of the customer with one row, of which there is no call. */
async function reconcileOneRow(): Promise<number> {
  const path = `/admin/v1/accounts/${account}/reconciliations`;
  const raw = 'time,url\n2026-11-24T00:00:00Z,/v1/latest/cat1/trends/top5/popindex/jp/beauty\n';
  return (await stage.ask('POST', path, { raw, headers: { 'content-type': 'text/csv' } })).status;
}

/** How many reconciliations of the account are listed, and how many rows hold them. */
async function reconciliations(): Promise<readonly number[]> {
  const listed = itemsOf(await stage.get(`/accounts/${account}/reconciliations`));
  const { rows } = await stage.pool.query('select 1 from reconciliation where account_id = $1', [
    account,
  ]);
  return [listed.length, rows.length];
}

/** Rows that hold one of the texts, in any column, by table. */
async function tablesThatSay(texts: readonly string[]): Promise<Record<string, number>> {
  const { rows: tables } = await stage.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    // Bytes are shown in hex, so what they hold is looked for in hex too.
    const { rows } = await stage.pool.query<{ count: number }>(
      `select count(*) as count from "${name}" t
        where exists (select from unnest($1::text[]) as said (text)
                       where lower(t::text) like '%' || lower(text) || '%'
                          or t::text like '%' || encode(text::bytea, 'hex') || '%')`,
      [texts],
    );
    if ((rows[0]?.count ?? 0) > 0) found[name] = rows[0]?.count ?? 0;
  }
  return found;
}

async function answers(): Promise<string> {
  const path = `/accounts/${account}`;
  const asked = [
    path,
    '/accounts?limit=1000&test=true',
    `${path}/events?limit=1000`,
    `${path}/calls`,
    `${path}/usage?by=tags`,
    `${path}/usage?by=tag:team`,
    `${path}/grants`,
    `${path}/api-keys`,
    `${path}/budgets`,
    `${path}/portal-sessions`,
    `${path}/alerts`,
    `${path}/statements/2026-11`,
    '/webhooks',
    `/webhooks/${webhook}/deliveries`,
    `/audit?limit=1000`,
    `/exports/invoices?month=2026-11&test=true&format=journal`,
  ];
  const texts: string[] = [];
  for (const one of asked) {
    const { text, status } = await stage.get(one);
    texts.push(`${one} ${status} ${text}`);
  }
  return texts.join('\n');
}

describe('erasing an account whose every text is known', () => {
  it('finds them in what is asked before, and in no event', async () => {
    await sayEverything();
    const before = await answers();
    const said = ['Renamed', 'Label', 'Note', 'Value', 'Adjusted', 'Suspended', 'Rotated', 'Url'];
    expect(said.filter((what) => !before.includes(mark(what)))).toEqual([]);
    expect(before.includes(`"${mark('tag').toLowerCase()}":"${mark('Value')}"`)).toBe(true);
    expect(before.includes(`by=tag:team 200 {"items":[{"tags":{"team":"${mark('Team')}"}`)).toBe(
      true,
    );
    const tables = Object.keys(await tablesThatSay([MARK]));
    expect(tables).toEqual(['document', 'profile']);
    expect(await reconciliations()).toEqual([1, 2]);
  });

  it('leaves them in issued documents alone, and there what these print', async () => {
    const erased = await stage.post(`/accounts/${account}/erase`, { reason: mark('Erased') });
    expect([erased.status, erased.json['plain_texts_in_log']]).toEqual([
      200,
      { reasons: 0, references: 0, urls: 0, tagged_calls: 0 },
    ]);
    expect(Object.keys(await tablesThatSay([MARK]))).toEqual(['document']);
    const { rows } = await stage.pool.query<{ body: Buffer }>('select body from document');
    const texts = rows.map(({ body }) => body.toString('utf8')).join('\n');
    const said = new Set(
      [...texts.matchAll(new RegExp(`${MARK}([A-Z][a-z]+)`, 'g'))].map((one) => one[1]),
    );
    expect([...said].filter((what) => !PRINTED.includes(what ?? ''))).toEqual([]);
    expect(said.has('Buyer')).toBe(true);
  });

  it('leaves nothing of the logs that were reconciled, nor of one that is read meanwhile', async () => {
    expect(await reconciliations()).toEqual([0, 0]);
    expect(await reconcileOneRow()).toBe(201);
    expect(await reconciliations()).toEqual([0, 0]);
  });

  it('answers none of them any more', async () => {
    const left = (await answers()).matchAll(new RegExp(`${MARK}[a-z]+`, 'gi'));
    expect([...left].map(([text]) => text)).toEqual([]);
  });

  it('leaves a log, and an invoice, that are found to be right', async () => {
    await stage.post('/verify');
    const ended = () => stage.logTools.verifications.state()?.state !== 'running';
    await waitFor('the verification', ended, 60_000);
    const { json } = await stage.get('/verify');
    expect(json).toMatchObject({ status: 'done', intact: true });
  }, 90_000);
});

describe('a log from before texts were sealed', () => {
  it('is read as it is, and the answer says what is left in it', async () => {
    const id = await stage.account({ name: 'Old' });
    await stage.pool.query('delete from text_key where account_id = $1', [id]);
    await stage.post(`/accounts/${id}/suspend`, { reason: 'Sealed.' });
    idOf(await stage.post(`/accounts/${id}/adjustments`, { credits: 5, reason: 'Plain.' }));
    await stage.pool.query(
      `update event set data = replace(data::text, data ->> 'reason', 'Plain.')::json
        where account_id = $1 and type = 'Adjusted'`,
      [id],
    );
    const events = await stage.get(`/accounts/${id}/events`);
    expect(events.text).toContain('Plain.');
    expect(events.text).toContain('Sealed.');
    await stage.post(`/accounts/${id}/close`);
    const { json } = await stage.post(`/accounts/${id}/erase`);
    expect(json['plain_texts_in_log']).toMatchObject({ reasons: 1, tagged_calls: 0 });
    const after = await stage.get(`/accounts/${id}/events`);
    expect(after.text).toContain('Plain.');
    expect(after.text).not.toContain('Sealed.');
  });
});

import type { MediaType, Operation } from '#web/openapi-document.js';
import { idOf, itemsOf } from '../../../test/setup/admin-stage.js';
import type { Method } from '../../../test/setup/asked.js';
import { SELLER } from '../../../test/setup/invoicing-stage.js';
import { PortalStage } from '../../../test/setup/portal-stage.js';

const SIGN_IN = 'POST /portal/v1/session';
/** Whoever is not signed in asks for these. */
const MAILED = ['POST /portal/v1/session/links', 'POST /portal/v1/session/links/use'];
const OPEN = new Set([SIGN_IN, ...MAILED, 'GET /portal/v1/session/ways']);
/** Goes over to another account of the same person. */
const SWITCH = 'PUT /portal/v1/session/account';
/** Answered for as long as a page is open: `events.spec.ts` reads it. */
const STREAM = 'GET /portal/v1/events';
const TRIAL = 'POST /portal/v1/budgets/preview';
/** Takes a log, of which none is sent here. */
const RECONCILE = 'POST /portal/v1/reconciliations';
const QUOTE = 'POST /portal/v1/quotes';
const STATUS_OF: Readonly<Record<string, number>> = {
  [TRIAL]: 200,
  [RECONCILE]: 415,
  [QUOTE]: 200,
};
/** Routes that change nothing of the account. */
const VIEWERS_MAY = new Set([SIGN_IN, 'DELETE /portal/v1/session', QUOTE, TRIAL, RECONCILE]);

const PACKAGE = { name: 'Starter', credits: 100_000, price: 120_000, currency: 'USD' };
const ORDERED = { package: 'Starter', credits: 100_000, price: 120_000 };

const NO_API = 'accounting-unavailable';

let stage: PortalStage;
let operations: { path: string; method: Method; operation: Operation }[];

beforeAll(async () => {
  stage = await PortalStage.open();
  operations = Object.entries(stage.document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase() as Method,
      operation,
    })),
  );
  const seller = { ...SELLER, packages: [PACKAGE], orders: 'approve' };
  await stage.admin.ask('PUT', '/admin/v1/seller', { body: seller });
  await stage.admin.receipts.keys.ensure();
  await stage.admin.receipts.signer.refresh();
});
afterAll(async () => {
  // No data API runs beside this portal, and the log says so of each pull.
  const others = stage.admin.errors.filter((error) => !String(error).endsWith(NO_API));
  expect(others).toEqual([]);
  await stage.close();
});

function own(): { path: string; method: Method; asked: string; operation: Operation }[] {
  const found = operations.filter(({ path }) => path.startsWith('/portal/'));
  expect(found.length).toBeGreaterThan(35);
  return found.map((one) => ({ ...one, asked: `${one.method} ${one.path}` }));
}

/** A body that the route takes, as the document shows it. */
function exampleOf({ requestBody }: Operation): object | undefined {
  return requestBody?.content['application/json']?.example as object | undefined;
}

/** An account in which everything that has an id in some path is there, with these ids. */
async function furnished(): Promise<{ account: string; ids: Record<string, string> }> {
  const { admin } = stage;
  const account = await admin.prepaid();
  const { id: call } = await admin.call(account, {});
  const budget = { period: 'month', limit_credits: 60_000, thresholds: [50], action: 'alert' };
  const [key] = itemsOf(await admin.get(`/accounts/${account}/api-keys`));
  const hook = { url: 'http://127.0.0.1:1/own', account_id: account, description: 'Ours alone' };
  const webhook = idOf(await admin.post('/webhooks', hook));
  const { json: delivery } = await admin.post(`/webhooks/${webhook}/test`);
  const { id: session } = await stage.link(account);
  const member = { email: 'ours@example.com' };
  const month = new Date(admin.now).toISOString().slice(0, 7);
  return {
    account,
    ids: {
      call_id: call,
      budget_id: idOf(await admin.post(`/accounts/${account}/budgets`, budget)),
      key_id: String(key?.['id']),
      webhook_id: webhook,
      delivery_id: String(delivery['id']),
      session_id: session,
      member_id: idOf(await admin.post(`/accounts/${account}/members`, member)),
      dispute_id: idOf(
        await admin.post(`/accounts/${account}/disputes`, { call_ids: [call], reason: 'Ours.' }),
      ),
      order_id: idOf(await admin.post(`/accounts/${account}/orders`, ORDERED)),
      reconciliation_id: idOf(
        await admin.ask('POST', `/admin/v1/accounts/${account}/reconciliations`, {
          raw: 'time,url\n',
          headers: { 'content-type': 'text/csv' },
        }),
      ),
      number: 'INV-000001',
      line: '1',
      month: String(month),
    },
  };
}

function addressOf(path: string, ids: Readonly<Record<string, string>>): string {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
  const market = encodeURIComponent('/v1/latest/cat1/trends/all/popindex/us/beauty');
  if (path.endsWith('/exports/focus')) return `${url}?month=${ids['month']}`;
  return path.endsWith('/views') ? `${url}?path=${market}` : url;
}

describe('every route of the portal', () => {
  it('answers nobody who is not signed in, and nobody whose cookie is made up', async () => {
    const { ids } = await furnished();
    for (const { path, method, asked, operation } of own()) {
      if (OPEN.has(asked)) continue;
      const body = exampleOf(operation);
      for (const cookie of [undefined, '__Host-popindex-portal=pixses_made-up']) {
        const sent = { ...(cookie !== undefined && { cookie }), ...(body && { body }) };
        const { status, json } = await stage.ask(method, addressOf(path, ids), sent);
        expect([asked, status, json['code']]).toEqual([asked, 401, 'unauthenticated']);
      }
    }
  });

  it('shows and changes nothing of another account', async () => {
    const { account, ids } = await furnished();
    const stranger = await stage.admin.account({ name: 'Strangers Ltd' });
    const before = await stage.admin.get(`/accounts/${account}/events?limit=1000`);
    const hooks = (await stage.admin.get('/webhooks')).text;
    let named = 0;
    for (const { path, method, asked, operation } of own()) {
      if ([SIGN_IN, ...MAILED, STREAM, 'DELETE /portal/v1/session'].includes(asked)) continue;
      const cookie = await stage.signIn(stranger);
      const body = exampleOf(operation);
      const sent = { cookie, ...(body && { body }) };
      const { status, text, headers } = await stage.ask(method, addressOf(path, ids), sent);
      // A month is one of every account.
      if (/\{(?!month)/.test(path)) {
        named += 1;
        expect([asked, status]).toEqual([asked, 404]);
      }
      const shown = text + JSON.stringify(headers);
      for (const secret of [account, 'Nails & Co', 'Ours alone', ids['webhook_id'] ?? '']) {
        expect([asked, shown.includes(secret)]).toEqual([asked, false]);
      }
    }
    expect(named).toBeGreaterThan(12);
    const after = await stage.admin.get(`/accounts/${account}/events?limit=1000`);
    expect(after.text).toBe(before.text);
    expect((await stage.admin.get('/webhooks')).text).toContain(hooks.slice(0, 100));
  });

  it('changes nothing for a viewer', async () => {
    const { account, ids } = await furnished();
    const cookie = await stage.signIn(account, 'viewer');
    const events = async () =>
      itemsOf(await stage.admin.get(`/accounts/${account}/events?limit=1000`)).map(
        ({ type }) => type,
      );
    const before = await events();
    let refused = 0;
    for (const { path, method, asked, operation } of own()) {
      if (
        method === 'GET' ||
        [SIGN_IN, ...MAILED, SWITCH, 'DELETE /portal/v1/session'].includes(asked)
      )
        continue;
      const body = exampleOf(operation);
      const sent = { cookie, ...(body && { body }) };
      const { status } = await stage.ask(method, addressOf(path, ids), sent);
      // No data API runs beside this portal.
      const allowed = STATUS_OF[asked] ?? 503;
      expect([asked, status]).toEqual([asked, VIEWERS_MAY.has(asked) ? allowed : 403]);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(12);
    expect(await events()).toEqual(before);
  });

  it('answers whoever it belongs to, with nothing that the document does not promise', async () => {
    const { account, ids } = await furnished();
    const cookie = await stage.signIn(account);
    for (const { path, method, asked } of own()) {
      if (method !== 'GET' || asked === STREAM || path.includes('{number}')) continue;
      const { status } = await stage.ask('GET', addressOf(path, ids), { cookie });
      expect([asked, status]).toEqual([asked, 200]);
      const head = await stage.ask('HEAD', addressOf(path, ids), { cookie });
      expect([asked, head.status, head.text]).toEqual([asked, 200, '']);
    }
  });

  it('reports a wrong id or query as such', async () => {
    const cookie = await stage.signIn(await stage.admin.account());
    for (const { path, method, asked, operation } of own()) {
      if ([SIGN_IN, STREAM, ...MAILED].includes(asked)) continue;
      if (asked === 'DELETE /portal/v1/session') continue;
      const body = exampleOf(operation);
      const url = `${path.replaceAll(/\{\w+\}/g, 'x')}?no_such=1`;
      const { status, json } = await stage.ask(method, url, { cookie, ...(body && { body }) });
      expect([asked, status, json['code']]).toEqual([asked, 400, 'invalid-parameter']);
    }
  });
});

function mediaOf({ requestBody, responses }: Operation): MediaType[] {
  const contents = [requestBody?.content, ...Object.values(responses).map((one) => one.content)];
  return contents.flatMap((content) => Object.values(content ?? {}));
}

describe('the OpenAPI document of the portal', () => {
  it('describes every route, and no route that is not there', async () => {
    for (const path of Object.keys(stage.document.paths)) {
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const { headers } = await stage.ask('OPTIONS', url);
      const there = operations.filter((one) => one.path === path).map(({ method }) => method);
      const allowed = String(headers['allow'])
        .split(', ')
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS');
      // A literal address may be one of a pattern's too, for another method.
      expect([path, allowed]).toEqual([path, expect.arrayContaining(there)]);
    }
  });

  it('asks for the session wherever it is asked for', () => {
    for (const { path, method, operation } of operations) {
      const isOpen = !path.startsWith('/portal/') || OPEN.has(`${method} ${path}`);
      const role = expect.stringMatching(/^(?:viewer|manager|own)$/);
      const asked = isOpen ? [] : [{ portalSession: [role] }];
      expect([path, operation.security]).toEqual([path, asked]);
    }
  });

  it('has examples that satisfy their schemas, refers to what is there, names each once', () => {
    const examples = operations.flatMap(({ operation }) => mediaOf(operation));
    for (const { schema, example } of examples) {
      if (example === undefined) continue;
      expect(stage.matcher.check(schema, example, 'example')).toEqual([]);
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

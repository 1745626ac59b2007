import { quickest } from '../setup/quickest.js';
import { Service, type Answer } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat2/brands/top5/popindex/fr/skincare';
const WITHIN_MS = 1_000;

/** A browser that has opened a link: it keeps the cookie and says which page it is on. */
class Browser {
  private constructor(
    readonly origin: string,
    readonly token: string,
    public cookie = '',
  ) {}

  static async open(accountId: string, role: string): Promise<Browser> {
    const { body } = await service.admin(`/accounts/${accountId}/portal-sessions`, { role });
    const url = new URL(String(body['url']));
    const browser = new Browser(url.origin, url.hash.replace('#token=', ''));
    await browser.ask('POST', '/session', { token: browser.token });
    return browser;
  }

  async ask(method: string, path: string, body?: object, key?: string): Promise<Answer> {
    const response = await fetch(`${this.origin}/portal/v1${path}`, {
      method,
      headers: {
        cookie: this.cookie,
        origin: this.origin,
        'x-requested-with': 'portal',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const cookie = response.headers.get('set-cookie');
    if (cookie !== null) this.cookie = cookie.split(';')[0] ?? '';
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, body: parsed, text };
  }

  /** Listens; what comes is put together in `text`. */
  async listen(lastEventId = ''): Promise<{ text: string; isOver: boolean; close(): void }> {
    const breaking = new AbortController();
    const headers = { cookie: this.cookie, 'last-event-id': lastEventId };
    const { signal } = breaking;
    const { body } = await fetch(`${this.origin}/portal/v1/events`, { headers, signal });
    const heard = { text: '', isOver: false, close: () => breaking.abort() };
    const read = async (): Promise<void> => {
      for await (const chunk of body ?? []) heard.text += Buffer.from(chunk).toString();
      heard.isOver = true;
    };
    read().catch(() => undefined);
    await waitFor('the stream is open', async () => heard.text.includes('event: ready'));
    return heard;
  }
}

const service = Service.ofFile({ LOG_LEVEL: 'trace' });

test('a customer looks at a price, pulls once, and looks at what is paid as often as needed', async () => {
  const { accountId } = await service.customer(100);
  const browser = await Browser.open(accountId, 'manager');
  const view = `/views?path=${encodeURIComponent(PATH)}`;
  const price = await browser.ask('GET', view);
  expect([price.status, price.body['required_credits']]).toEqual([412, 35]);
  const quote = await browser.ask('POST', '/quotes', { urls: [PATH] });
  expect(quote.body).toMatchObject({ total_credits: 35, affordable: true });

  const pulls = [1, 2, 3].map(() => browser.ask('POST', '/pulls', { path: PATH }, 'the-click'));
  const answers = await Promise.all(pulls);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body['call_id'])).size).toBe(1);
  const { body: calls } = await browser.ask('GET', '/calls');
  expect(calls['items']).toMatchObject([{ credits_used: 35, balance_after: 65 }]);

  const seen = await browser.ask('GET', view);
  const pulled = answers[0]?.body['body'] as { data: Record<string, unknown> };
  const { call_cost: _call, data_cost: _data, ...data } = pulled.data;
  expect(seen.body['data']).toEqual(data);
  const dear = { path: PATH.replace('fr', 'us'), credits_max: 34 };
  expect((await browser.ask('POST', '/pulls', dear)).status).toBe(412);
  const { body: account } = await browser.ask('GET', '/account');
  expect(account['balance']).toBe(65);
  const { body: catalog } = await browser.ask('GET', '/catalog?limit=101');
  expect(catalog['items']).toHaveLength(101);
});

test('a page hears within a second of a call made elsewhere, and after a break of what it missed', async () => {
  const customer = await service.customer(1_000);
  const browser = await Browser.open(customer.accountId, 'viewer');
  const heard = await browser.listen();
  const tookMs = await quickest(WITHIN_MS, async () => {
    const call = await customer.get(PATH);
    const since = performance.now();
    const id = call.headers.get('call-id') ?? '';
    await waitFor('the call is heard of', async () => heard.text.includes(id));
    return performance.now() - since;
  });
  expect(tookMs).toBeLessThan(WITHIN_MS);
  heard.close();

  const missed = await customer.get(PATH);
  const [, lastId = ''] = [...heard.text.matchAll(/^id: (\d+)\nevent: call$/gm)].at(-1) ?? [];
  const again = await browser.listen(lastId);
  const missedId = missed.headers.get('call-id') ?? '';
  await waitFor('what was missed is heard of', async () => again.text.includes(missedId));
  expect(again.text.match(/^event: call$/gm)).toHaveLength(1);
  again.close();
});

test('a session that is revoked is over within a second, also where a page listens', async () => {
  const { accountId } = await service.customer(0);
  const tookMs = await quickest(WITHIN_MS, async () => {
    const browser = await Browser.open(accountId, 'viewer');
    const heard = await browser.listen();
    const { body } = await browser.ask('GET', '/session');
    const path = `/accounts/${accountId}/portal-sessions/${String(body['id'])}`;
    const since = performance.now();
    await service.admin(path, undefined, 'DELETE');
    expect((await browser.ask('GET', '/account')).status).toBe(401);
    await waitFor('the stream is over', async () => heard.isOver);
    return performance.now() - since;
  });
  expect(tookMs).toBeLessThan(WITHIN_MS);
});

test('no log holds a link, a cookie or the key of a pull, however much it holds', async () => {
  const { accountId } = await service.customer(100);
  const browser = await Browser.open(accountId, 'manager');
  await browser.ask('POST', '/pulls', { path: PATH });
  await browser.ask('POST', '/session', { token: browser.token });
  await browser.ask('POST', '/session', { token: 'pixlink_made-up', more: browser.token });
  const { output } = service.process;
  expect(output).not.toContain(browser.token);
  expect(output).not.toContain(browser.cookie.split('=')[1]);
  expect(output).not.toMatch(/pix(?:link|ses|con)_|pix_live_\w/);
});

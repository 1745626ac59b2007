import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { ask, Service, type Customer } from '../setup/service.js';
import { secretsIn } from '../setup/secrets-in.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

let service: Service;
let customer: Customer;
let tester: Customer;

beforeAll(async () => {
  // Nobody listens there, and the package that would send is not part of the service.
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9';
  service = await Service.start({ LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT });
  customer = await service.customer(50);
  tester = await service.customer(1_000, { test_clock: '2026-11-24T00:00:00Z' });
}, 120_000);

afterAll(() => service.stop());

const scrape = (url: string, headers: Record<string, string> = {}) =>
  ask(`${url}/metrics`, '', { headers });

/** The value of one series; undefined where there is none. */
async function value(series: string): Promise<number | undefined> {
  const { text } = await scrape(service.adminUrl);
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

it('calls, charges and refusals are counted, tests apart', async () => {
  for (const expected of [200, 200, 402]) {
    expect((await customer.get(PATH)).status).toBe(expected);
  }
  expect((await tester.get(PATH)).status).toBe(200);
  expect((await tester.get(PATH, { 'credits-max': '1' })).status).toBe(412);
  // The end of an answer reaches the counters a moment after the client.
  await waitFor(
    'all calls are counted',
    async () =>
      (await value('popindex_calls_total{resource="trends",status="412",test="true"}')) === 1,
  );
  const counted: readonly (readonly [string, number])[] = [
    ['popindex_calls_total{resource="trends",status="200",test="false"}', 2],
    ['popindex_calls_total{resource="trends",status="402",test="false"}', 1],
    ['popindex_charges_total{kind="base",test="false"}', 1],
    ['popindex_charges_total{kind="repeat",test="false"}', 1],
    ['popindex_charged_credits_total{kind="base",test="false"}', 35],
    ['popindex_charged_credits_total{kind="repeat",test="false"}', 10],
    ['popindex_charged_credits_total{kind="base",test="true"}', 35],
    ['popindex_refusals_total{reason="out-of-credits",test="false"}', 1],
    ['popindex_refusals_total{reason="price-above-maximum",test="true"}', 1],
    ['popindex_changes_total{operation="openAccount",outcome="made"}', 2],
    ['popindex_waiting_commands', 0],
    ['popindex_deliveries_pending', 0],
    ['popindex_months_without_invoice', 0],
    ['popindex_part_ready{part="database"}', 1],
  ];
  for (const [series, expected] of counted)
    expect([series, await value(series)]).toEqual([series, expected]);
});

it('a projection that has caught up is not behind', async () => {
  for (const name of ['ledger', 'windows', 'notifications']) {
    for (const unit of ['events', 'seconds']) {
      const series = `popindex_projection_lag_${unit}{projection="${name}"}`;
      await waitFor(`${series} is 0`, async () => (await value(series)) === 0);
    }
  }
});

it('every series has its help, and none speaks of a customer', async () => {
  const { text, headers } = await scrape(service.apiUrl);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = text.split('\n').filter((line) => line !== '');
  const helped = new Set(lines.flatMap((line) => /^# HELP (\S+) \S/.exec(line)?.[1] ?? []));
  const samples = lines.filter((line) => !line.startsWith('#'));
  expect(samples.length).toBeGreaterThan(50);
  for (const line of samples) {
    const [, name = line] =
      /^(\w+)(?:\{[^}]*\})? (?:[-+\d.e]+|[Nn]a[Nn]|[+-]Inf)$/.exec(line) ?? [];
    expect(helped).toContain(helped.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
  }
  expect(text).not.toContain(customer.accountId);
  expect(secretsIn(text, [service.adminToken])).toEqual([]);
});

it('without METRICS_TOKEN metrics are not for those behind a proxy', async () => {
  const forwarded = { 'x-forwarded-for': '8.8.8.8' };
  for (const url of [service.apiUrl, service.adminUrl]) {
    const { status, body } = await scrape(url, forwarded);
    expect([status, body.code]).toEqual([404, 'not-found']);
  }
});

it('without METRICS_TOKEN metrics are not for pages of a site whose name leads here', async () => {
  for (const url of [service.apiUrl, service.adminUrl]) {
    // The name in Host is not what `fetch` lets anybody choose.
    const statusFor = async (host: string): Promise<number | undefined> => {
      const asked = get(`${url}/metrics`, { headers: { host } });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect([await statusFor('rebound.example'), await statusFor('localhost')]).toEqual([404, 200]);
  }
});

it('a fault is logged with its request, and no secret is in the log', async () => {
  await service.admin('/webhooks', { url: 'https://example.com/hook' });
  await ask(`${service.apiUrl}${PATH}`, `${customer.apiKey}x`);
  await ask(`${service.adminUrl}/admin/v1/accounts`, 'another-token-of-more-than-32-letters');
  const { output } = service.process;
  expect(output).toContain('No traces are sent');
  expect(secretsIn(output, [service.adminToken, customer.apiKey])).toEqual([]);
});

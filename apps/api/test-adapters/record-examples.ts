import { asLatest } from '#rating/key-parts.js';
import METERED from '../src/openapi/metered-examples.json' with { type: 'json' };
import { ask } from './seen.js';
import { SERUM } from './memory-releases.js';
import { BASE_URL, bearer, type TestApi } from './test-api.js';

const RELATED = `/v1/latest/cat5/related-trends/top5/popindex/us/${SERUM}/ingredients`;
const SERIES = `/v1/latest/cat5/timeseries/popindex/us/${SERUM}`;
const TRENDS = '/v1/latest/cat2/trends/top5/popindex/us/skincare';
const BRANDS = '/v1/latest/cat2/brands/top5/popindex/us/skincare';

/** Answers by resource, and by the name of their schema. */
export interface RecordedExamples {
  readonly metered: Readonly<Record<string, unknown>>;
  readonly named: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * Asks for what the document shows as real answers; call ids are named by their order. That of the
 * account is without the key that asked.
 */
export async function recordExamples(api: TestApi): Promise<RecordedExamples> {
  const account = api.account(20_000, { rateLimit: null });
  const headers = bearer(api.key(account));
  const read = async (url: string): Promise<unknown> => (await ask(api, { url, headers })).json();
  const items = async (url: string) => ((await read(url)) as { items: unknown[] }).items;
  for (const url of [RELATED, SERIES, TRENDS, BRANDS, TRENDS]) await read(url);
  const quoteRequest = { urls: [TRENDS, '/v1/latest/cat1/trends/all/popindex/xx/beauty'] };
  const asked = { method: 'POST', url: '/v1/quotes', headers, payload: quoteRequest } as const;
  const quote = (await ask(api, asked)).json();
  const calls = await account.calls();
  const last = calls.at(-1)?.callId ?? '';
  const { api_key: _key, ...own } = (await read('/v1/account')) as Record<string, unknown>;
  const named = {
    QuoteRequest: [quoteRequest],
    Quote: [quote],
    Account: [own],
    WindowKey: await items('/v1/account/windows'),
    Usage: await items('/v1/account/usage?by=day,resource'),
    GrantCall: await items(`/v1/account/grants/${account.grantId}/calls?limit=1`),
    Call: await items('/v1/account/calls?limit=2&order=desc'),
    CallExplanation: [await read(`/v1/calls/${last}`)],
  };
  return nameIds(
    { metered: await readMetered(api), named },
    calls.map(({ callId }) => callId),
  );
}

/** First calls of an account of its own: one more resource changes no other example. */
async function readMetered(api: TestApi): Promise<Record<string, unknown>> {
  const headers = bearer(api.key(api.account(20_000, { rateLimit: null })));
  const found: Record<string, unknown> = {};
  for (const [name, { key }] of Object.entries(METERED)) {
    found[name] = (await ask(api, { url: asLatest(key), headers })).json();
  }
  return found;
}

/** Replaces ids that differ in every run by fixed ones. */
function nameIds(recorded: RecordedExamples, callIds: readonly string[]): RecordedExamples {
  let text = JSON.stringify(recorded);
  callIds.forEach((id, index) => {
    text = text.replaceAll(id, `019ab1c2-7d00-7c3e-9a51-0f5d8e2b4c6${index}`);
  });
  text = text.replaceAll(
    /urn:uuid:[0-9a-f-]{36}/g,
    'urn:uuid:0d9f3b0e-52c4-4f7e-8a86-4b1f0f1c9d2a',
  );
  return JSON.parse(text.replaceAll(BASE_URL, 'https://data.example.com')) as RecordedExamples;
}

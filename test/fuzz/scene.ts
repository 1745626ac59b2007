import type { OpenApiDocument } from '#web/openapi-document.js';
import { problemSchemas } from '#web/problem-schemas.js';
import { expandedDocument } from '../setup/expanded-document.js';
import type { Port } from './fuzz-request.js';
import type { FuzzedService } from './operator.js';
import { Operator } from './operator.js';

/** A customer of the public API; what it pays is checked against the log at the end. */
export interface Persona {
  readonly name: string;
  readonly accountId: string;
  readonly apiKey: string;
  /** Of every hundred requests, how many are its own. */
  readonly share: number;
}

/** Parts of the requests: everything that exists and can be named in one. */
export interface Scene {
  readonly documents: Readonly<Record<Port, OpenApiDocument>>;
  readonly personas: readonly Persona[];
  /** Its calls may be charged without an answer: it does not wait for them. */
  readonly hasty: Persona;
  /** Its requests stand in bodies alone: nobody may act on one. */
  readonly hidden: Persona;
  /** Paths that are served, with their validators. */
  readonly paths: readonly { readonly path: string; readonly etag: string }[];
  /** Accounts of the operator's requests, and one for those that hang up. */
  readonly accounts: readonly string[];
  readonly hastyAccount: string;
  /** Values for parameters by their name. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

const FAST = { per_second: 1_000_000, burst: 1_000_000 };
const CREDITS = 1_000_000_000;
const ACCOUNTS = 12;

interface Opening {
  readonly account?: Readonly<Record<string, unknown>>;
  readonly key?: Readonly<Record<string, unknown>>;
  readonly credits?: number;
}

async function open(
  operator: Operator,
  name: string,
  share: number,
  { account, key, credits = CREDITS }: Opening = {},
): Promise<Persona & { readonly keyId: string }> {
  const opened = await operator.create('/accounts', { name, rate_limit: FAST, ...account });
  const accountId = String(opened['id']);
  const issued = await operator.create(`/accounts/${accountId}/api-keys`, { label: name, ...key });
  if (credits > 0) {
    await operator.create(`/accounts/${accountId}/grants`, { credits, kind: 'promotional' });
  }
  const apiKey = String(issued['key']);
  return { name, accountId, apiKey, share, keyId: String(issued['id']) };
}

async function openPersonas(operator: Operator): Promise<Persona[]> {
  const revoked = await open(operator, 'revoked', 2);
  await operator.remove(`/accounts/${revoked.accountId}/api-keys/${revoked.keyId}`);
  const suspended = await open(operator, 'suspended', 3);
  await operator.create(`/accounts/${suspended.accountId}/suspend`, {});
  const own = async (name: string, share: number, opening: Opening) =>
    open(operator, name, share, opening);
  return [
    await own('rich', 63, {}),
    await own('without a limit', 6, { account: { overdraft_credits: null }, credits: 0 }),
    await own('poor', 6, { credits: 5_000 }),
    await own('without credits', 4, { credits: 0 }),
    await own('with a clock', 6, { account: { test_clock: '2027-03-02T10:00:00Z' } }),
    await own('only for reading', 3, { key: { scopes: ['account:read'] } }),
    await own('only for data', 3, { key: { scopes: ['data'] } }),
    await own('slow', 2, { account: { rate_limit: { per_second: 1, burst: 5 } } }),
    suspended,
    revoked,
  ];
}

/** With the schemas of all problems: some refuse what stands in no document, such as a method. */
async function documentOf(url: string): Promise<OpenApiDocument> {
  const served = (await (await fetch(`${url}/openapi.json`)).json()) as object;
  const document = expandedDocument(served);
  const schemas = { ...problemSchemas(), ...document.components.schemas };
  return { ...document, components: { ...document.components, schemas } };
}

type Item = Record<string, string>;

/** Paths that exist, read off the listings themselves. */
async function servedPaths(operator: Operator, apiKey: string) {
  const listing = async (path: string, member: string): Promise<Item[]> => {
    const data = (await operator.call(path, apiKey))?.body['data'];
    return (data as Record<string, Item[]> | undefined)?.[member] ?? [];
  };
  const trends = await listing('/v1/latest/cat1/trends/top5/popindex/us/beauty', 'trends');
  const brands = await listing('/v1/cat2/brands/top5/popindex/gb/skincare', 'brands');
  const categories = trends.map((one) => one['cat5_id'] ?? '');
  const brandIds = brands.map((one) => one['brand_id'] ?? '');
  const paths = [
    '/v1/latest/cat1/trends/top5/popindex/us/beauty',
    '/v1/cat1/brands/top5/popindex/global/beauty',
    '/v1/latest/cat2/trends/top100/popindex/jp/skincare',
    '/v1/cat2/brands/all/popindex/kr/skincare',
    ...categories.flatMap((id) => [
      `/v1/latest/cat5/timeseries/popindex/us/${id}`,
      `/v1/latest/cat5/timeseries/popindex/fr/${id.toUpperCase()}`,
      `/v1/latest/cat5/related-trends/top5/popindex/us/${id}/ingredients`,
      `/v1/latest/cat5/related-trends/all/popindex/global/${id}/concerns`,
    ]),
    ...brandIds.map((id) => `/v1/latest/brand/timeseries/popindex/us/${id}`),
  ];
  return { paths, categories, brandIds };
}

/** Opens all accounts and looks around once, as an honest operator and customer would. */
export async function setScene(service: FuzzedService): Promise<Scene> {
  const operator = new Operator(service);
  const scout = await open(operator, 'scout', 0);
  const { paths, categories, brandIds } = await servedPaths(operator, scout.apiKey);
  const served: { path: string; etag: string }[] = [];
  const callIds: string[] = [];
  let label = '';
  for (const path of paths) {
    const called = await operator.call(path, scout.apiKey);
    if (called === undefined) continue;
    const { etag, callId, body } = called;
    served.push({ path, etag });
    callIds.push(callId);
    label = String(body['key']).split('/')[2] ?? '';
  }
  const accounts: string[] = [];
  const keyIds: string[] = [];
  for (let index = 0; index <= ACCOUNTS; index += 1) {
    const account = index === 1 ? { test_clock: '2027-01-05T00:00:00Z' } : {};
    const opened = await open(operator, `playground ${index}`, 0, { account, credits: 0 });
    accounts.push(opened.accountId);
    keyIds.push(opened.keyId);
  }
  const [hastyAccount = '', ...others] = accounts;
  return {
    documents: {
      api: await documentOf(service.apiUrl),
      accounting: await documentOf(service.adminUrl),
    },
    personas: await openPersonas(operator),
    hasty: await open(operator, 'hasty', 0),
    hidden: await open(operator, 'hidden', 0),
    paths: served,
    accounts: others,
    hastyAccount,
    values: {
      window: ['latest', 'latest', label, '2020w01', '2099w01'],
      category_id: categories,
      item_id: [...categories, ...brandIds],
      category_name: ['beauty', 'skincare', 'haircare', 'nails'],
      group: ['ingredients', 'concerns', 'skin-types', 'formats', 'nothing'],
      call_id: callIds,
      key_id: keyIds,
      slug: ['internal', 'not-found', 'too-large', 'conflict', 'no-such-problem'],
      from: ['2026-01-01', '2026-11-01T00:00:00Z'],
      to: ['2030-01-01', '2099-12-31T00:00:00+02:00'],
      resource_key: paths.map((path) => path.replace('/latest/', `/${label}/`)),
      api_key_id: keyIds,
      tag: ['team', 'team=nails', 'project=autumn'],
    },
  };
}

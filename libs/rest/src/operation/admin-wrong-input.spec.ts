import type { Operation, Schema } from '#web/openapi-document.js';
import { OpenApiMatcher } from '../../../../test/setup/openapi-matcher.js';
import { idOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { invoiced } from '../../../../test/setup/invoicing-stage.js';
import { adminDocument } from '#admin-backend/admin-document.js';

// What the document does not allow is refused with its place, on every route there is: the wrong
// values are made from the document itself, so that a new route is tried without another line here.

const document = adminDocument('https://api.example.com');
const NOBODY = '0197c000-0000-7000-8000-000000000000';
const PAST_ALL = 2 ** 53;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Case {
  readonly method: Method;
  readonly path: string;
  readonly what: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly key?: string;
  /** Where the fault is: a JSON pointer, or place and name of a parameter. */
  readonly at: string;
}

const matcher = OpenApiMatcher.of(document);

function allows(schema: Schema, value: unknown): boolean {
  return matcher.check(schema, value, 'value').length === 0;
}

function resolved(schema: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return document.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
}

const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  PAST_ALL,
  '',
  'x\u0000y',
  'no such value',
  [],
  [[]],
  {},
  { no_such_member: 1 },
];

type Row = Omit<Case, 'method' | 'path'>;

function bodyCases({ requestBody }: Operation): Row[] {
  const media = requestBody?.content['application/json'];
  if (media === undefined) return [];
  const schema = resolved(media.schema);
  const example = media.example as Readonly<Record<string, unknown>>;
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = (schema['required'] ?? []) as readonly string[];
  return [
    ...properties.flatMap(([name, member]) =>
      VALUES.filter((value) => !allows(member, value)).map((value) => ({
        what: `${name} ${JSON.stringify(value)}`,
        body: { ...example, [name]: value },
        at: `/${name}`,
      })),
    ),
    ...required.map((name) => {
      const { [name]: _missing, ...body } = example;
      return { what: `no ${name}`, body, at: `/${name}` };
    }),
    { what: 'an unknown member', body: { ...example, no_such_member: 1 }, at: '/no_such_member' },
    ...[null, true, 'x', 7, []].map((body) => ({ what: JSON.stringify(body), body, at: '' })),
  ];
}

/** Values of a query parameter, which are texts; moments, cursors and labels say so in words. */
function wrongTexts(name: string, schema: Schema): string[] {
  if (schema['enum'] !== undefined || schema['type'] === 'boolean') return ['', 'no-such-value'];
  if (schema['type'] === 'integer') return ['', 'x', '-1', '1.5', '1e2', '99999999999999999999'];
  if (schema['format'] === 'uuid') return ['', 'x', `${NOBODY}0`];
  return ['from', 'to', 'as_of', 'after', 'window', 'month'].includes(name) ? ['no-such'] : [];
}

function parameterCases({ parameters = [] }: Operation): Row[] {
  const queries = parameters.filter((one) => one.in === 'query');
  return [
    { what: 'an unknown parameter', query: 'no_such=1', at: 'query no_such' },
    ...queries.flatMap(({ name, schema }) => [
      { what: `${name} twice`, query: `${name}=1&${name}=2`, at: `query ${name}` },
      ...wrongTexts(name, resolved(schema)).map((text) => ({
        what: `${name} "${text}"`,
        query: `${name}=${text}`,
        at: `query ${name}`,
      })),
    ]),
    ...parameters
      .filter(({ name }) => name === 'Idempotency-Key')
      .flatMap(({ name }) =>
        ['', 'two words', 'x'.repeat(256)].map((key) => ({
          what: `an idempotency key of ${key.length}`,
          key,
          at: `header ${name}`,
        })),
      ),
  ];
}

function pathCases({ parameters = [] }: Operation): Row[] {
  return parameters
    .filter(({ in: place, schema }) => place === 'path' && schema['format'] === 'uuid')
    .map(({ name }) => ({ what: `no id as ${name}`, at: `path ${name}` }));
}

const CASES: readonly Case[] = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/admin/'))
  .flatMap(([path, item]) =>
    Object.entries(item).flatMap(([name, operation]) =>
      [...bodyCases(operation), ...parameterCases(operation), ...pathCases(operation)].map(
        (row) => ({ ...row, method: name.toUpperCase() as Method, path }),
      ),
    ),
  );

const stage = adminStage();
/** Ids for the parameters of paths; all others name nothing that exists. */
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  const account_id = await stage.account({ test_clock: '2026-11-24T09:00:00Z' });
  const grant = { credits: 1, kind: 'promotional' };
  const grant_id = idOf(await stage.post(`/accounts/${account_id}/grants`, grant));
  const hook = { url: 'http://127.0.0.1:9/hooks' };
  const webhook_id = idOf(await stage.post('/webhooks', hook));
  const { number } = await invoiced(stage);
  const month = '2026-10';
  ids = {
    account_id,
    grant_id,
    webhook_id,
    name: 'ledger',
    version: '1',
    number,
    line: '1',
    month,
    currency: 'EUR',
    date: '2026-11-20',
  };
});

async function ask({ method, path, query, key, at, ...rest }: Case): Promise<Answered> {
  const [place, wrong] = at.split(' ');
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (place === 'path' && name === wrong) return 'no-id';
    return ids[name] ?? NOBODY;
  });
  return stage.ask(method, query === undefined ? url : `${url}?${query}`, {
    ...('body' in rest && { body: rest.body }),
    ...(key !== undefined && { key }),
  });
}

/** Where the answer says that something is wrong. */
function placesOf({ json }: Answered): string[] {
  const { errors = [], parameters = [] } = json as {
    readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
    readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  };
  return [...errors.map(({ pointer }) => pointer), ...parameters.map((p) => `${p.in} ${p.name}`)];
}

/** In the member itself, or somewhere in its value. */
function isAt(place: string, wanted: string): boolean {
  return place === wanted || (wanted.startsWith('/') && place.startsWith(`${wanted}/`));
}

const ROUTES = [...new Set(CASES.map(({ method, path }) => `${method} ${path}`))];

describe('what the document does not allow', () => {
  it('are hundreds of requests', () => {
    expect(CASES.length).toBeGreaterThan(400);
  });

  it.each(ROUTES)('is refused with its place by %s', async (route) => {
    const before = await stage.log.ends();
    for (const one of CASES.filter(({ method, path }) => `${method} ${path}` === route)) {
      const refused = await ask(one);
      const places = placesOf(refused);
      const found = places.find((place) => isAt(place, one.at));
      const { status, text } = refused;
      const seen = { what: one.what, status, at: found, text };
      expect(seen).toEqual({ what: one.what, status: 400, at: found ?? one.at, text });
    }
    expect(await stage.log.ends()).toEqual(before);
  });
});

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

/** The schema of an object or a list, where a member may also be something else. */
function membersOf(schema: Schema, value: unknown): Schema {
  const own = resolved(schema);
  const others = (own['anyOf'] ?? own['oneOf'] ?? []) as readonly Schema[];
  const fitting = others.find((one) => allows(one, value));
  return fitting === undefined ? own : membersOf(fitting, value);
}

const tried = new Set<string>();

/** All of them for the first member or parameter of a schema, one for each further one. */
function untried<Value>(schema: Schema, wrong: readonly Value[]): readonly Value[] {
  const text = JSON.stringify(schema);
  if (tried.has(text)) return wrong.slice(0, 1);
  tried.add(text);
  return wrong;
}

/** Just beyond each limit of a schema. */
function beyondLimits(schema: Schema, value: unknown): unknown[] {
  const { minimum, maximum, maxLength, maxItems, uniqueItems } = membersOf(
    schema,
    value,
  ) as Readonly<Record<string, number>>;
  const first = Array.isArray(value) ? value[0] : undefined;
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(maxItems === undefined || first === undefined ? [] : [Array(maxItems + 1).fill(first)]),
    ...(uniqueItems === undefined || first === undefined ? [] : [[first, first]]),
  ];
}

interface Fault {
  readonly what: string;
  readonly body: unknown;
  readonly at: string;
}

/** Whether a value is of one kind of several. */
function isOfKind(schema: Schema): boolean {
  const { anyOf, oneOf } = resolved(schema) as Readonly<Record<string, readonly Schema[]>>;
  return (anyOf ?? oneOf ?? []).filter((one) => one['type'] !== 'null').length > 1;
}

/** Every fault of one member of a value, however deep. */
function faultsIn(schema: Schema, value: unknown): Fault[] {
  if (typeof value !== 'object' || value === null) return [];
  const {
    properties = {},
    required = [],
    items,
  } = membersOf(schema, value) as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly items?: Schema;
  };
  const isList = Array.isArray(value);
  const given = value as Readonly<Record<string, unknown>>;
  const set = (name: string, member: unknown) =>
    isList ? value.with(Number(name), member) : { ...value, [name]: member };
  const members: [string, Schema][] =
    isList && items !== undefined && value.length > 0 ? [['0', items]] : Object.entries(properties);
  const deeper = members.flatMap(([name, member]) => {
    const wrong = [...VALUES, ...beyondLimits(member, given[name])];
    const refused = wrong.filter((one) => !allows(member, one));
    return [
      ...untried(member, refused).map((one) => ({
        what: JSON.stringify(one).slice(0, 40),
        body: one,
        at: '',
      })),
      ...faultsIn(member, given[name]),
    ].map(({ what, body, at }) => ({
      what: `${name} ${what}`,
      body: set(name, body),
      at: `/${name}${at}`,
    }));
  });
  if (isList) return deeper;
  return [
    ...deeper,
    ...required.map((name) => {
      const { [name]: _missing, ...body } = given;
      return { what: `no ${name}`, body, at: isOfKind(schema) ? '' : `/${name}` };
    }),
    { what: 'an unknown member', body: { ...value, no_such_member: 1 }, at: '/no_such_member' },
  ];
}

function bodyCases({ requestBody }: Operation): Row[] {
  const media = requestBody?.content['application/json'];
  if (media === undefined) return [];
  return [
    ...faultsIn(media.schema, media.example),
    ...[null, true, 'x', 7, []].map((body) => ({ what: JSON.stringify(body), body, at: '' })),
  ];
}

/** Values of a query parameter, which are texts; moments, cursors and labels say so in words. */
function wrongTexts(name: string, schema: Schema): string[] {
  if (schema['enum'] !== undefined || schema['type'] === 'boolean') return ['', 'no-such-value'];
  if (schema['type'] === 'integer') {
    const limits = beyondLimits(schema, 1).map(String);
    return ['', 'x', '-1', '1.5', '1e2', '99999999999999999999', ...limits];
  }
  if (schema['format'] === 'uuid') return ['', 'x', `${NOBODY}0`];
  return ['from', 'to', 'as_of', 'after', 'window', 'month'].includes(name) ? ['no-such'] : [];
}

function parameterCases({ parameters = [] }: Operation): Row[] {
  const queries = parameters.filter((one) => one.in === 'query');
  return [
    { what: 'an unknown parameter', query: 'no_such=1', at: 'query no_such' },
    ...queries.flatMap(({ name, schema }) => [
      { what: `${name} twice`, query: `${name}=1&${name}=2`, at: `query ${name}` },
      ...untried(schema, wrongTexts(name, resolved(schema))).map((text) => ({
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
    expect(CASES.length).toBeGreaterThan(1_500);
  });

  it.each(ROUTES)('is refused with its place by %s', async (route) => {
    const before = await stage.log.ends();
    for (const one of CASES.filter(({ method, path }) => `${method} ${path}` === route)) {
      const refused = await ask(one);
      const places = placesOf(refused);
      const found = places.find((place) => isAt(place, one.at));
      // Of a body nothing else is wrong; a query may lack what the operation needs.
      const others = places.filter((place) => !isAt(place, one.at) && !isAt(one.at, place));
      const elsewhere = 'body' in one ? others : [];
      const { status, text } = refused;
      const seen = { what: one.what, status, at: found, elsewhere, text };
      const wanted = { what: one.what, status: 400, at: found ?? one.at, elsewhere: [], text };
      expect(seen).toEqual(wanted);
    }
    expect(await stage.log.ends()).toEqual(before);
  });
});

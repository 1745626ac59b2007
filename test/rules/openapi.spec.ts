import { adminDocument } from '#admin-backend/admin-document.js';
import { portalDocument } from '#portal-backend/portal-document.js';
import { apiDocument } from '../../apps/api/src/openapi/api-document.js';
import type { MediaType, OpenApiDocument, Operation, Schema } from '#web/openapi-document.js';
import { sharedComponents } from '#web/shared-components.js';
import { OpenApiMatcher } from '../setup/openapi-matcher.js';

// Rules for what the documents of all servers say of every operation, so that a generator makes a
// client of them and a reader needs nothing else.

const BASE_URL = 'https://api.example.com';
const DOCUMENTS = {
  admin: adminDocument(BASE_URL),
  portal: portalDocument(BASE_URL),
  api: apiDocument(BASE_URL),
};
const NAMES = Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[];
const DESCRIPTION_LENGTH_MIN = 30;

/** By their members: one that says which it is would say it twice. */
const WITHOUT_DISCRIMINATOR = [
  ['FlatCost', 'PerRowCost', 'PerUnitCost'],
  ['QuotedUrl', 'RefusedUrl'],
  ['TrendItem', 'RelatedTrendItem'],
];

interface Found {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const operations: readonly Found[] = NAMES.flatMap((name) =>
  Object.entries({ ...DOCUMENTS[name].paths, ...DOCUMENTS[name].webhooks }).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name, method, path, operation })),
  ),
);

test('every tag of an operation is described, and every pattern is one of JSON', () => {
  const undescribed = operations.flatMap(({ name, operation }) => {
    const described = DOCUMENTS[name as (typeof NAMES)[number]].tags.map((tag) => tag.name);
    return operation.tags.filter((tag) => !described.includes(tag)).map((tag) => `${name} ${tag}`);
  });
  expect([...new Set(undescribed)]).toEqual([]);
  const escaped = NAMES.flatMap((name) => [...schemasIn(DOCUMENTS[name], name)]).filter(
    ([, { pattern }]) => typeof pattern === 'string' && pattern.includes('\\/'),
  );
  expect(escaped.map(([place]) => place)).toEqual([]);
});

function placeOf({ name, operation }: Found): string {
  return `${name} ${operation.operationId}`;
}

function answersOf({ responses }: Operation): readonly (readonly [string, MediaType])[] {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return good.flatMap(([, { content }]) => Object.entries(content ?? {}).slice(0, 1));
}

function mediaOf({ requestBody, responses }: Operation): readonly MediaType[] {
  const contents = Object.values(responses).map(({ content }) => content);
  return [requestBody?.content, ...contents].flatMap((content) => Object.values(content ?? {}));
}

/** Every schema in a value, with the place where it stands. */
function* schemasIn(value: unknown, place: string): Generator<readonly [string, Schema]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Schema];
  for (const [name, member] of Object.entries(value)) {
    if (!/^examples?$/.test(name)) yield* schemasIn(member, `${place}/${name}`);
  }
}

/** Of a schema that stands among the components; else its type. */
function nameOf({ $ref, type }: Schema): string {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : String(type);
}

test('every operation has a description that says more than its summary', () => {
  const poor = operations.filter(({ operation: { summary, description = '' } }) => {
    return description.length < DESCRIPTION_LENGTH_MIN || summary.includes(description);
  });
  expect(poor.map(placeOf)).toEqual([]);
});

/** Of one that stands among the components; else its name. */
function parameterName(parameter: object): string {
  const { $ref, name } = parameter as { readonly $ref?: string; readonly name?: string };
  return $ref === undefined ? String(name) : $ref.slice($ref.lastIndexOf('/') + 1);
}

function isList({ components }: OpenApiDocument, schema: Schema): boolean {
  const { properties = {} } = components.schemas?.[nameOf(schema)] ?? schema;
  return (
    Object.keys(properties as object)
      .toSorted()
      .join() === 'items,next'
  );
}

/** Why a list has no order that a reader may choose. */
const WITHOUT_ORDER: Readonly<Record<string, string>> = {
  listFound: 'What fits best comes first, and there is no page after.',
};

const lists = operations.filter(({ name, operation }) =>
  answersOf(operation).some(([, { schema }]) =>
    isList(DOCUMENTS[name as keyof typeof DOCUMENTS], schema),
  ),
);
const ORDER =
  /\b(?:oldest|newest|open(?:ed)?|open ones|comes|expensive) first\b|\bin the order\b|\bby (?:version|currency|label|their time)\b/i;

test('every list says in which order it comes', () => {
  const silent = lists.filter(({ operation: { operationId, summary, description } }) => {
    return !(operationId in WITHOUT_ORDER || ORDER.test(`${summary}. ${description}`));
  });
  expect(silent.map(placeOf)).toEqual([]);
});

test('every list can be had in both orders', () => {
  expect(lists.length).toBeGreaterThan(50);
  const fixed = lists.filter(({ operation: { parameters = [] } }) => {
    return !parameters.some((parameter) => parameterName(parameter).startsWith('order'));
  });
  expect([...new Set(fixed.map(({ operation }) => operation.operationId))].toSorted()).toEqual(
    Object.keys(WITHOUT_ORDER),
  );
});

test('every body that is sent, and every answer with one, has an example', () => {
  const bare = operations.filter(({ operation }) => {
    const sent = Object.entries(operation.requestBody?.content ?? {});
    return [...sent, ...answersOf(operation)].some(([, { example }]) => example === undefined);
  });
  expect(bare.map(placeOf)).toEqual([]);
});

test('every answer as CSV shows one', () => {
  const bare = operations.filter(({ operation: { responses } }) =>
    Object.values(responses).some(({ content = {} }) => {
      const csv = content['text/csv'];
      return csv !== undefined && csv.example === undefined;
    }),
  );
  expect(bare.map(placeOf)).toEqual([]);
});

test.each(NAMES)('the examples of %s satisfy their schemas', (name) => {
  const matcher = OpenApiMatcher.of(DOCUMENTS[name]);
  const shown = operations
    .filter((one) => one.name === name)
    .flatMap(({ operation }) => mediaOf(operation))
    .filter(({ example }) => example !== undefined);
  for (const { schema, example } of shown) {
    expect([example, matcher.check(schema, example, 'example')]).toEqual([example, []]);
  }
  expect(shown.length).toBeGreaterThan(100);
});

test('patterns are of every regex engine: no properties of Unicode, nothing that looks around', () => {
  const patterns = NAMES.flatMap((name) => [
    ...JSON.stringify(DOCUMENTS[name]).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g),
  ]).map(([, text = '""']) => JSON.parse(text) as string);
  expect(patterns.length).toBeGreaterThan(30);
  expect(patterns.filter((pattern) => /\\p\{|\(\?[=!<]/.test(pattern))).toEqual([]);
});

test.each(NAMES)('words that stand in several places of %s have a name', (name) => {
  const shared = sharedComponents(DOCUMENTS[name]);
  const places = new Map<string, string[]>();
  for (const [place, schema] of schemasIn(shared, '')) {
    const words = schema['enum'];
    if (!Array.isArray(words)) continue;
    const text = JSON.stringify(words);
    places.set(text, [...(places.get(text) ?? []), place]);
  }
  expect([...places.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test('a union of objects that differ by one member names that member', () => {
  const { schemas } = DOCUMENTS.admin.components;
  const line = schemas['InvoiceLine'] as Schema;
  expect(line['discriminator']).toMatchObject({
    propertyName: 'type',
    mapping: { fee: '#/components/schemas/FeeLine' },
  });
  const unions = NAMES.flatMap((name) => [...schemasIn(DOCUMENTS[name], name)])
    .filter(([, schema]) => schema['discriminator'] === undefined)
    .map(([, { oneOf, anyOf }]) => ((oneOf ?? anyOf ?? []) as readonly Schema[]).map(nameOf))
    .map((names) => names.filter((name) => name !== 'null'))
    .filter(({ length }) => length > 1);
  const found = [...new Set(unions.map((names) => names.join()))];
  expect(found.toSorted()).toEqual(WITHOUT_DISCRIMINATOR.map((names) => names.join()));
});

test('a schema of one name is the same in every document', () => {
  const shapes = new Map<string, string>();
  for (const name of NAMES) {
    for (const [schema, shape] of Object.entries(DOCUMENTS[name].components.schemas)) {
      const text = JSON.stringify(shape);
      expect([name, schema, shapes.get(schema) ?? text]).toEqual([name, schema, text]);
      shapes.set(schema, text);
    }
  }
});

const VERBS: Readonly<Record<string, RegExp>> = {
  get: /^(?:get|list|explain|sum|diff|export|view|listen)/,
  head: /^quote/,
  put: /^replace/,
  patch: /^change/,
  delete: /^(?:remove|revoke|void|signOut)/,
};

test('one act has one verb', () => {
  const acts = operations.filter(({ path }) => path.startsWith('/'));
  const others = acts.filter(
    ({ method, operation }) => VERBS[method]?.test(operation.operationId) === false,
  );
  expect(others.map(placeOf)).toEqual([]);
});

test('an operation that several servers have is called the same at each', () => {
  const names = new Map<string, Set<string>>();
  // Beside the one of an account there is one of all accounts.
  const single = operations.filter(({ operation }) => !/All[A-Z]/.test(operation.operationId));
  for (const { method, path, operation } of single) {
    const own = path
      .replace(/^\/(?:admin|portal)\/v1|^\/v1/, '')
      .replace(/^\/accounts\/\{account_id\}|^\/account(?=\/)/, '');
    // One account is named by its id, or by who asks.
    const act = `${method} ${own}`;
    if (own !== '' && own !== '/account' && operation.operationId !== 'listen') {
      names.set(act, new Set([...(names.get(act) ?? []), operation.operationId]));
    }
  }
  const differing = [...names].filter(([, ids]) => ids.size > 1);
  expect(differing.map(([act, ids]) => `${act}: ${[...ids].join(', ')}`)).toEqual([]);
});

import type { OpenApiDocument } from './openapi-document.js';

type Json = Readonly<Record<string, unknown>>;

/** Kinds of components that may be shared by reference. */
type Kind = 'parameters' | 'headers' | 'responses';

/** A part that stands in several places: what it is called where it can be, and its JSON. */
interface Part {
  readonly kind: Kind;
  readonly name: string;
  readonly text: string;
}

const SCHEMA = /"#\/components\/schemas\/([^"]+)"/g;

/**
 * The same document with every parameter, header and response that stands in several places among
 * the components, and without schemas that nothing refers to.
 */
export function sharedComponents(document: OpenApiDocument): Json {
  const parts = new Map<string, { readonly part: Part; times: number }>();
  walk({ ...document.paths, ...document.webhooks }, (part) => {
    const key = keyOf(part);
    const known = parts.get(key);
    if (known === undefined) parts.set(key, { part, times: 1 });
    else known.times += 1;
    return undefined;
  });
  const shared = [...parts.values()].filter(({ times }) => times > 1).map(({ part }) => part);
  const names = namesOf(shared);
  const refer = (part: Part): Json | undefined => {
    const name = names.get(keyOf(part));
    return name === undefined ? undefined : { $ref: `#/components/${part.kind}/${name}` };
  };
  const components: Record<Kind, Record<string, unknown>> = {
    parameters: {},
    headers: {},
    responses: {},
  };
  for (const part of shared) {
    const value = JSON.parse(part.text) as Json;
    const own = part.kind === 'responses' ? walk(value, refer, 'response') : value;
    components[part.kind][names.get(keyOf(part)) ?? ''] = own;
  }
  const paths = walk(document.paths, refer);
  const webhooks = document.webhooks && walk(document.webhooks, refer);
  const rest = { ...document.components, ...components };
  return {
    ...document,
    paths,
    ...(webhooks !== undefined && { webhooks }),
    components: { ...rest, schemas: referred(document, { paths, webhooks, ...components }) },
  };
}

function keyOf({ kind, name, text }: Part): string {
  return `${kind} ${name} ${text}`;
}

/** Parts of one name that differ are numbered. */
function namesOf(parts: readonly Part[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const part of parts) {
    let name = part.name;
    for (let next = 2; taken.has(`${part.kind} ${name}`); next += 1) name = `${part.name}-${next}`;
    taken.add(`${part.kind} ${name}`);
    names.set(keyOf(part), name);
  }
  return names;
}

const texts = new WeakMap<object, string>();

/** Operations share their parts: the JSON of each is made once. */
function textOf(part: object): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  texts.set(part, text);
  return text;
}

type Refer = (part: Part) => Json | undefined;
type Place = 'paths' | 'operation' | 'response';

/** A copy in which `refer` may put a reference in the place of a part. */
function walk(value: unknown, refer: Refer, place: Place = 'paths'): unknown {
  const members = Object.entries(value as Json);
  if (place === 'paths') {
    return mapped(members, (_, item) =>
      mapped(Object.entries(item as Json), (_method, operation) =>
        walk(operation, refer, 'operation'),
      ),
    );
  }
  return mapped(members, (name, member) => {
    if (name === 'parameters') {
      const parameters = member as readonly { readonly name: string }[];
      return parameters.map(
        (one) => refer({ kind: 'parameters', name: one.name, text: textOf(one) }) ?? one,
      );
    }
    if (name === 'responses') {
      return mapped(Object.entries(member as Json), (status, response) => {
        const text = textOf(response as object);
        const known = refer({ kind: 'responses', name: responseName(status, text), text });
        return known ?? walk(response, refer, 'response');
      });
    }
    if (name === 'headers') {
      return mapped(
        Object.entries(member as Json),
        (header, one) =>
          refer({ kind: 'headers', name: header, text: textOf(one as object) }) ?? one,
      );
    }
    return member;
  });
}

function mapped(
  members: readonly (readonly [string, unknown])[],
  map: (name: string, value: unknown) => unknown,
): Json {
  return Object.fromEntries(members.map(([name, value]) => [name, map(name, value)]));
}

/** By the problems that a response may hold: `conflict-idempotency-key-used`. */
function responseName(status: string, text: string): string {
  const problems = [...text.matchAll(/schemas\/Problem-([a-z-]+)"/g)].map(([, slug]) => slug);
  return problems.length === 0 ? `status-${status}` : [...new Set(problems)].join('-');
}

/** Schemas that are referred to, from paths and components or from other schemas. */
function referred(document: OpenApiDocument, from: Json): Json {
  const { schemas } = document.components;
  const found = new Set<string>();
  const look = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(SCHEMA)) {
      if (found.has(name)) continue;
      found.add(name);
      if (name in schemas) look(schemas[name]);
    }
  };
  look(from);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

import { checkNames } from './checked-settings.js';
import type { ClientRequest, ChangeOptions, Connection, QueryValue } from './connection.js';
import { Listing, type Page } from './listing.js';

/** An operation as a client asks for it. */
export interface Endpoint {
  /** Group and method: `budgets.replace`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root, with its variable parts in braces. */
  readonly path: string;
  /** Whether an argument is its body, and one its query. */
  readonly hasBody?: boolean;
  readonly hasQuery?: boolean;
  /** The form of its answer: JSON by default. */
  readonly answer?: 'list' | 'stream';
  /** Whether the same answer can be had as other media types. */
  readonly hasTypes?: boolean;
}

export type Method = (...given: unknown[]) => unknown;

/** Methods by group. Their types are those of the documents, which the package is made with. */
export type Methods = Record<string, Record<string, Method>>;

/**
 * The methods of a client. Each takes the variable parts of its path, its body, its query, and
 * options; one that ends in `As` takes the media type before them.
 */
export function methodsOf(connection: Connection, endpoints: readonly Endpoint[]): Methods {
  const methods: Methods = {};
  for (const endpoint of endpoints) {
    const [group = '', name = ''] = endpoint.name.split('.');
    const own = (methods[group] ??= {});
    own[name] = (...given) => ask(connection, endpoint, askedOf(endpoint, given));
    if (endpoint.hasTypes !== true) continue;
    own[`${name}As`] = (accept, ...given) =>
      connection.stream({ ...askedOf(endpoint, given), accept: accept as string });
  }
  return methods;
}

function ask(connection: Connection, { answer }: Endpoint, asked: ClientRequest): unknown {
  if (answer === 'stream') return connection.stream({ ...asked, accept: '*/*' });
  if (answer !== 'list') return connection.json(asked);
  return new Listing(asked.query?.['after'] as string | undefined, (after) =>
    connection.json<Page<unknown>>({ ...asked, query: { ...asked.query, after } }),
  );
}

const OPTIONS = ['signal', 'timeoutMs', 'idempotencyKey', 'ifMatch'];

function askedOf(
  { name, method, path, hasBody, hasQuery }: Endpoint,
  given: unknown[],
): ClientRequest {
  const rest = [...given];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => {
    const value = (rest.shift() ?? '') as string | number;
    if (value === '') throw new TypeError(`${name} needs a value of ${part}.`);
    return encodeURIComponent(String(value));
  });
  const body = hasBody === true ? rest.shift() : undefined;
  const query = hasQuery === true ? rest.shift() : undefined;
  const options = (rest.shift() ?? {}) as ChangeOptions;
  checkNames(options, OPTIONS, name);
  return { ...options, method, path: filled, query: query as Record<string, QueryValue>, body };
}

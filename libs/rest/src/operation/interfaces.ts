import type { FastifyRequest } from 'fastify';
import type { Header } from '#web/openapi-document.js';
import { RATE_HEADERS } from './headers.js';
import type { Operation } from './operation.js';

const OF_AN_ACCOUNT = '/accounts/{account_id}';
/** Paths of the public API beside `/account`, not below it. */
const BESIDE_ACCOUNT = /^\/(?:account$|calls\/|quotes$|catalog(?:\/|$))/;

/** One of the HTTP interfaces that operations stand in. */
export interface Interface {
  readonly name: 'admin' | 'portal' | 'public';
  readonly prefix: string;
  /** Of every success, as documents show them. */
  readonly headers?: Readonly<Record<string, Header>>;
  /** Where an operation is found, behind the prefix; undefined: it does not stand here. */
  pathOf(operation: Operation): string | undefined;
}

/** The path for the one account of the caller, which the path does not name. */
function ownPath(path: string): string {
  if (path === OF_AN_ACCOUNT) return '/account';
  return path.startsWith(OF_AN_ACCOUNT) ? path.slice(OF_AN_ACCOUNT.length) : path;
}

/** For operators: any account. */
export const ADMIN: Interface = {
  name: 'admin',
  prefix: '/admin/v1',
  pathOf: ({ access, path }) => (access.roles === undefined ? undefined : path),
};

/** For customers' pages: the account of the session. */
export const PORTAL: Interface = {
  name: 'portal',
  prefix: '/portal/v1',
  pathOf: ({ access, path }) => (access.session === undefined ? undefined : ownPath(path)),
};

/** For holders of API keys: the account of the key. */
export const PUBLIC: Interface = {
  name: 'public',
  prefix: '/v1',
  headers: RATE_HEADERS,
  pathOf({ access, path }) {
    if (access.scope === undefined) return undefined;
    const own = ownPath(path);
    return BESIDE_ACCOUNT.test(own) ? own : `/account${own}`;
  },
};

/** Whose account a request is limited to; null: none. */
export type AccountOf = (request: FastifyRequest) => string | null;

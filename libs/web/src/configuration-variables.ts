import { isIP } from 'node:net';
import { z } from 'zod';
import { databaseServers } from '#database/database-servers.js';
import { regionFaults } from '#popularity/regions.js';
import { sourceFaults } from '#popularity/sources.js';
import { isStrongSecret } from './strong-secret.js';

/** One environment variable: what it takes, in words for an operator, and how it is read. */
interface Variable<Schema extends z.ZodType> {
  readonly takes: string;
  readonly schema: Schema;
  /** Its value is never printed. */
  readonly secret?: true;
  /** Why a value is refused, where more can be said than what it takes. */
  readonly fault?: (text: string) => string | undefined;
}

function variable<Schema extends z.ZodType>(
  takes: string,
  schema: Schema,
  secret?: true,
): Variable<Schema> {
  return { takes, schema, ...(secret && { secret }) };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function itemsOf(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

function listOf(isItem: (item: string) => boolean) {
  return z
    .string()
    .transform(itemsOf)
    .refine((items) => items.every((item) => isItem(item)));
}

function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function hasProtocol(text: string, protocols: readonly string[]): boolean {
  const protocol = parsedUrl(text)?.protocol;
  return protocol !== undefined && protocols.includes(protocol);
}

/** A path that the path of a cookie takes, too. */
const BASE_PATH = /^(?:\/[\w.~-]+)*\/*$/;

/** The fault of an address that people and programs are given; undefined: none. */
function addressFault(text: string): string | undefined {
  const url = parsedUrl(text);
  // What may be a secret is not repeated.
  const shown = text.includes('@') ? '' : `; it is "${text}"`;
  if (url === undefined) return `it is no URL${shown}`;
  const faults = [
    !hasProtocol(text, ['http:', 'https:']) && `"${url.protocol}" is not http: or https:`,
    (url.username !== '' || url.password !== '') && 'it has a user name or a password',
    /^[^#]*\?/.test(text) && 'it has a query',
    text.includes('#') && 'it has a fragment',
  ].filter((fault) => fault !== false);
  return faults.length === 0 ? undefined : faults.join(', ') + shown;
}

/** The same of an address whose path a proxy takes away. */
function serverAddressFault(text: string): string | undefined {
  const fault = addressFault(text);
  if (fault !== undefined || BASE_PATH.test(new URL(text).pathname)) return fault;
  return `its path has other characters than letters, digits, ".", "_", "~" and "-"; it is "${text}"`;
}

/** Nobody may change on the way who somebody is. */
function isIssuer(text: string): boolean {
  if (addressFault(text) !== undefined) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

function isVisible(text: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(text);
}

/** Nothing of the text is repeated: it holds a password. */
function databaseFault(text: string): string | undefined {
  const servers = databaseServers(text);
  if (typeof servers === 'string') return servers;
  return servers.urls.every((url) => URL.canParse(url)) ? undefined : 'it is no URL';
}

function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

const port = () =>
  variable(
    'a port, 0 to 65535',
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((value) => value <= 65_535),
  );
const count = (what: string, most: number) =>
  variable(
    `a number of ${what}, 0 to ${most}`,
    z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .refine((value) => value <= most),
  );
const publicAddress = (fault = serverAddressFault) => ({
  ...variable(
    'a public address such as https://data.example.com/popindex, without query or password',
    z
      .string()
      .refine((text) => fault(text) === undefined)
      // Hosts in lower case, and no port that follows from the protocol: as clients write them.
      .transform((text) => new URL(text).href.replace(/\/+$/, '')),
  ),
  fault,
});
const flag = () =>
  variable(
    'true or false',
    z.enum(['true', 'false']).transform((text) => text === 'true'),
  );
const secret = () =>
  variable(
    'a secret of at least 32 visible ASCII characters, 10 of them different',
    z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .refine(isStrongSecret),
    true,
  );
const text = (takes: string, isValid: (value: string) => boolean, hidden?: true) =>
  variable(takes, z.string().refine(isValid), hidden);
const pemFile = (what: string) =>
  text(`the path of a PEM file with a ${what}`, (value) => !value.includes('\0'));
const database = (takes: string) => ({
  ...text(takes, (value) => databaseFault(value) === undefined, true),
  fault: databaseFault,
});

/** A list of names that are checked together. */
const named = (takes: string, faultsOf: (names: readonly string[]) => readonly string[]) => ({
  ...variable(
    takes,
    listOf(() => true).refine((names) => faultsOf(names).length === 0),
  ),
  fault: (text: string) => faultsOf(itemsOf(text)).join(', '),
});

/** Every setting of the service. Those without a value here are optional or defaulted elsewhere. */
export const VARIABLES = {
  DATABASE_URL: database(
    'the URL of a PostgreSQL 15 or newer, postgresql://user:password@host:port/database, or several hosts with commas',
  ),
  MIGRATION_DATABASE_URL: database(
    'the URL of the same database for another user, the owner of its tables',
  ),
  DATABASE_REQUIRE_SYNC: flag(),
  DATA_DIR: text('the path of a folder', (value) => !value.includes('\0')),
  HOST: text(
    'an address or name of this machine to listen on',
    (value) => isIP(value) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value),
  ),
  API_PORT: port(),
  API_WORKERS: count('processes', 64),
  DECIDERS: count('threads', 16),
  ACCOUNTING_PORT: port(),
  PORTAL_PORT: port(),
  CHARGING_PORT: port(),
  BASE_URL: publicAddress(),
  PORTAL_URL: publicAddress(),
  DASHBOARD_URL: publicAddress(addressFault),
  BILLING_TIME_ZONE: text('an IANA time zone such as Europe/Berlin', isTimeZone),
  REGIONS: named('codes of regions such as de,at,global, comma-separated', regionFaults),
  SOURCES: named(
    'one to three names of sources such as search,shops, comma-separated, each of a to z, 0 to 9 and "_"',
    sourceFaults,
  ),
  ADMIN_TOKEN: secret(),
  ADMIN_URL: publicAddress(),
  API_URL: publicAddress(),
  DEMO: flag(),
  CHARGING_URLS: variable(
    'the addresses of the accounting processes such as tcp://10.0.0.7:3002 or unix:/run/popindex.sock, comma-separated',
    listOf((item) => hasProtocol(item, ['tcp:', 'http:']) || /^unix:(?:\/\/)?\/./.test(item)),
  ),
  CHARGING_SOCKET: text(
    'the path of a socket, at most 100 bytes',
    (value) => !value.includes('\0') && Buffer.byteLength(value) <= 100,
  ),
  CHARGING_SECRET: secret(),
  CHARGING_TLS_CERT: pemFile('certificate'),
  CHARGING_TLS_KEY: pemFile('private key'),
  CHARGING_TLS_CA: pemFile('CA'),
  TRUST_PROXY: variable(
    'IP addresses or ranges such as 10.0.0.0/8, comma-separated',
    listOf(isAddressRange),
  ),
  CORS_ORIGINS: variable(
    'origins of web pages such as https://app.example.com, comma-separated, or *',
    listOf((item) => item === '*' || (URL.canParse(item) && new URL(item).origin === item)),
  ),
  SMTP_URL: text(
    'the URL of a mail server, smtp:// or smtps://',
    (value) => hasProtocol(value, ['smtp:', 'smtps:']),
    true,
  ),
  MAIL_FROM: text('a sender such as Popindex <billing@example.com>', (value) =>
    /^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/.test(value),
  ),
  WEBHOOK_ALLOW_PRIVATE: flag(),
  WEBHOOK_SECRET_KEY: secret(),
  METRICS_TOKEN: secret(),
  OIDC_ISSUER: text(
    'the issuer of an OpenID Connect provider, https, or http on this machine',
    isIssuer,
  ),
  OIDC_CLIENT_ID: text('the id of this service at the provider', (value) => value.length <= 200),
  OIDC_CLIENT_SECRET: text('the secret of this service at the provider', isVisible, true),
  OIDC_ROLE_CLAIM: text(
    'the name of the claim with the roles of operators such as roles or realm_access.roles',
    isVisible,
  ),
  OIDC_EMAIL_DOMAINS: variable(
    'domains of e-mail addresses such as example.com, comma-separated',
    listOf((item) => /^(?:[\w-]+\.)+[\w-]+$/.test(item)),
  ),
  RETENTION_YEARS: variable(
    'a number of years, 1 to 100',
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number)
      .refine((years) => years >= 1 && years <= 100),
  ),
  LOG_LEVEL: variable(
    'one of trace, debug, info, warn, error, fatal, silent',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  ),
} as const;

export type VariableName = keyof typeof VARIABLES;

export const VARIABLE_NAMES = Object.keys(VARIABLES) as VariableName[];

/** Values as read, before defaults: absent where the variable is unset or empty. */
export type Values = {
  readonly [Name in VariableName]?: z.output<(typeof VARIABLES)[Name]['schema']>;
};

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { readTls, reportMissingTls, type TlsTexts } from './configuration-tls.js';
import { derivedUrls, type PublicUrls } from './configuration-urls.js';
import { VARIABLES, VARIABLE_NAMES } from './configuration-variables.js';
import type { Values, VariableName } from './configuration-variables.js';
import { DEFAULT_REGIONS } from '#popularity/regions.js';
import { DEFAULT_SOURCES } from '#popularity/sources.js';
import { StartupError } from './startup-error.js';

/** Which process is configured: all in one, one side of a split service, or a command. */
export type ConfigurationMode = 'standalone' | 'api' | 'accounting' | 'popindex';

/** The registration of this service at an OpenID Connect provider. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null;
  /** The claim that names roles of operators; dots lead into objects. */
  readonly roleClaim: string;
  /** Domains whose addresses count although the provider does not say whether they are verified. */
  readonly emailDomains: readonly string[];
}

export interface Configuration extends PublicUrls {
  readonly mode: ConfigurationMode;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** As the owner of the tables connects; null: as the service does. */
  readonly migrationDatabaseUrl: string | null;
  /** Readiness warns where commits wait for no standby. */
  readonly databaseRequireSync: boolean;
  /** Absolute. */
  readonly dataDir: string;
  readonly host: string;
  /** Port 0 is any free one; `withPorts` derives the addresses once it is known. */
  readonly apiPort: number;
  /** Processes that serve the public API; 0: this one does. */
  readonly apiWorkers: number;
  /** Threads that decide calls and changes; 0: the main thread does. */
  readonly deciders: number;
  readonly accountingPort: number;
  readonly portalPort: number;
  readonly chargingPort: number;
  readonly billingTimeZone: string;
  /** Codes, in the order in which they are listed. */
  readonly regions: readonly string[];
  /** Names of columns, in their order. */
  readonly sources: readonly string[];
  /** Null with the embedded database: made on the first run. */
  readonly adminToken: string | null;
  /** Address of the admin REST for commands and browsers; null: `host` and `accountingPort`. */
  readonly adminUrl: string | null;
  /** Where the portal's calls reach the API; null: at the public address. */
  readonly apiUrl: string | null;
  readonly demo: boolean;
  readonly chargingUrls: readonly string[];
  /** Where charges are taken beside `chargingPort`; null: nowhere. */
  readonly chargingSocket: string | null;
  readonly chargingSecret: string | null;
  /** Null: the charging link is not encrypted. */
  readonly chargingTls: TlsTexts | null;
  /** IP addresses and ranges whose `Forwarded` counts. */
  readonly trustProxy: readonly string[];
  /** Origins whose pages may call the public API. */
  readonly corsOrigins: readonly string[];
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly webhookAllowPrivate: boolean;
  /** The key that encrypts the secrets of webhooks; null: another secret of the process does. */
  readonly webhookSecretKey: string | null;
  /** The token for `/metrics`; null: it answers this machine alone. */
  readonly metricsToken: string | null;
  /** Where people sign in with an account of their company; null: with tokens and links alone. */
  readonly oidc: OidcSettings | null;
  readonly retentionYears: number;
  readonly logLevel: NonNullable<Values['LOG_LEVEL']>;
  /** Addresses that were set by hand; the others follow from host and ports. */
  readonly givenUrls: Partial<PublicUrls>;
}

/** Its message has one line for each variable that is wrong or missing. */
export class ConfigurationError extends StartupError {
  override readonly name = 'ConfigurationError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORTS = { apiPort: 3000, accountingPort: 3001, chargingPort: 3002, portalPort: 3003 };

const DEFAULT_SHARE_MAX = 8;

type Port = keyof typeof DEFAULT_PORTS;

const PORT_VARIABLES: Readonly<Record<Port, VariableName>> = {
  apiPort: 'API_PORT',
  accountingPort: 'ACCOUNTING_PORT',
  chargingPort: 'CHARGING_PORT',
  portalPort: 'PORTAL_PORT',
};

const PORTS_OF_MODE: Readonly<Record<ConfigurationMode, readonly Port[]>> = {
  standalone: ['apiPort', 'accountingPort', 'portalPort'],
  api: ['apiPort'],
  accounting: ['accountingPort', 'chargingPort', 'portalPort'],
  popindex: [],
};

const REQUIRED_OF_MODE: Readonly<Record<ConfigurationMode, readonly VariableName[]>> = {
  standalone: [],
  api: ['DATABASE_URL', 'CHARGING_URLS', 'CHARGING_SECRET'],
  accounting: ['DATABASE_URL', 'ADMIN_TOKEN', 'CHARGING_SECRET'],
  popindex: [],
};

/** Settings that take another one beside them, without which they would have no effect. */
const REQUIRED_WITH: readonly (readonly [VariableName, VariableName])[] = [
  ['MIGRATION_DATABASE_URL', 'DATABASE_URL'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
];

/** The same of a process that sends e-mails and signs people in; others may share its settings. */
const REQUIRED_TO_SERVE: typeof REQUIRED_WITH = [
  ['MAIL_FROM', 'SMTP_URL'],
  ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
  ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  ['OIDC_ROLE_CLAIM', 'OIDC_ISSUER'],
  ['OIDC_EMAIL_DOMAINS', 'OIDC_ISSUER'],
];

type Faults = Map<VariableName, string>;

function readValues(environment: Environment, faults: Faults): Values {
  const values: Partial<Record<VariableName, unknown>> = {};
  for (const name of VARIABLE_NAMES) {
    // Compose files and shells pass on an unset variable as an empty one.
    const text = environment[name]?.trim();
    if (text === undefined || text === '') continue;
    const { takes, schema, ...rest } = VARIABLES[name];
    const read = (schema as z.ZodType).safeParse(text);
    if (read.success) values[name] = read.data;
    else faults.set(name, `takes ${takes}${shownFault(rest, text)}`);
  }
  return values as Values;
}

function shownFault(
  {
    secret,
    fault,
  }: { readonly secret?: true; readonly fault?: (text: string) => string | undefined },
  text: string,
): string {
  const reason = fault?.(text);
  if (reason !== undefined) return `; ${reason}`;
  return secret ? '' : `; it is "${text}"`;
}

function requireValues(mode: ConfigurationMode, values: Values, faults: Faults): void {
  const require = (name: VariableName, why: string): void => {
    if (values[name] !== undefined || faults.has(name)) return;
    faults.set(name, `takes ${VARIABLES[name].takes}; it is required ${why}`);
  };
  for (const name of REQUIRED_OF_MODE[mode]) require(name, 'by this process');
  for (const [name, needed] of requiredWith(mode)) {
    if (values[name] !== undefined) require(needed, `with ${name} set`);
  }
}

function requiredWith(mode: ConfigurationMode): typeof REQUIRED_WITH {
  if (mode === 'accounting') return [...REQUIRED_WITH, ...REQUIRED_TO_SERVE];
  if (mode !== 'standalone') return REQUIRED_WITH;
  return [...REQUIRED_WITH, ...REQUIRED_TO_SERVE, ['DATABASE_URL', 'ADMIN_TOKEN']];
}

function portsOf(values: Values): Readonly<Record<Port, number>> {
  return {
    apiPort: values.API_PORT ?? DEFAULT_PORTS.apiPort,
    accountingPort: values.ACCOUNTING_PORT ?? DEFAULT_PORTS.accountingPort,
    chargingPort: values.CHARGING_PORT ?? DEFAULT_PORTS.chargingPort,
    portalPort: values.PORTAL_PORT ?? DEFAULT_PORTS.portalPort,
  };
}

function requireDistinctPorts(mode: ConfigurationMode, values: Values, faults: Faults): void {
  const ports = portsOf(values);
  const taken = new Map<number, VariableName>();
  for (const port of PORTS_OF_MODE[mode]) {
    const name = PORT_VARIABLES[port];
    const other = taken.get(ports[port]);
    if (other !== undefined && !faults.has(name)) {
      faults.set(name, `takes a port of its own; ${ports[port]} is the port of ${other}`);
    }
    if (ports[port] !== 0) taken.set(ports[port], name);
  }
}

function given(values: Values): Partial<PublicUrls> {
  return {
    ...(values.BASE_URL !== undefined && { baseUrl: values.BASE_URL }),
    ...(values.PORTAL_URL !== undefined && { portalUrl: values.PORTAL_URL }),
    ...(values.DASHBOARD_URL !== undefined && { dashboardUrl: values.DASHBOARD_URL }),
  };
}

function oidcOf(values: Values): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = values;
  if (issuer === undefined || clientId === undefined) return null;
  const clientSecret = values.OIDC_CLIENT_SECRET ?? null;
  const roleClaim = values.OIDC_ROLE_CLAIM ?? 'roles';
  const emailDomains = (values.OIDC_EMAIL_DOMAINS ?? []).map((domain) => domain.toLowerCase());
  return { issuer, clientId, clientSecret, roleClaim, emailDomains };
}

/** Files are read by the two processes of the link: others need no right to read the key. */
function chargingTlsOf(mode: ConfigurationMode, values: Values, faults: Faults): TlsTexts | null {
  const report = (name: VariableName, fault: string): void => {
    if (!faults.has(name)) faults.set(name, `takes ${VARIABLES[name].takes}; ${fault}`);
  };
  if (mode === 'api' || mode === 'accounting') return readTls(values, Date.now(), report);
  reportMissingTls(values, report);
  return null;
}

/**
 * Workers, and deciders, for so many cores: half of them, from four on. With fewer, and for few
 * calls at a time, what passes between processes or threads costs more than it brings.
 */
export function defaultShare(cores: number): number {
  return cores < 4 ? 0 : Math.min(DEFAULT_SHARE_MAX, Math.floor(cores / 2));
}

function configurationOf(
  mode: ConfigurationMode,
  values: Values,
  chargingTls: TlsTexts | null,
): Configuration {
  const host = values.HOST ?? '127.0.0.1';
  const ports = portsOf(values);
  const givenUrls = given(values);
  const share = defaultShare(availableParallelism());
  return {
    mode,
    databaseUrl: values.DATABASE_URL ?? null,
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL ?? null,
    databaseRequireSync: values.DATABASE_REQUIRE_SYNC ?? false,
    dataDir: path.resolve(values.DATA_DIR ?? '.data'),
    host,
    ...ports,
    apiWorkers: values.API_WORKERS ?? (mode === 'standalone' ? share : 0),
    deciders: values.DECIDERS ?? (mode === 'standalone' || mode === 'accounting' ? share : 0),
    ...derivedUrls({ host, ...ports, givenUrls }),
    givenUrls,
    billingTimeZone: values.BILLING_TIME_ZONE ?? 'UTC',
    regions: values.REGIONS ?? DEFAULT_REGIONS,
    sources: values.SOURCES ?? DEFAULT_SOURCES,
    adminToken: values.ADMIN_TOKEN ?? null,
    adminUrl: values.ADMIN_URL ?? null,
    apiUrl: values.API_URL ?? null,
    demo: values.DEMO ?? values.DATABASE_URL === undefined,
    chargingUrls: values.CHARGING_URLS ?? [],
    chargingSocket:
      values.CHARGING_SOCKET === undefined ? null : path.resolve(values.CHARGING_SOCKET),
    chargingSecret: values.CHARGING_SECRET ?? null,
    chargingTls,
    trustProxy: values.TRUST_PROXY ?? [],
    corsOrigins: values.CORS_ORIGINS ?? [],
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM ?? null,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE ?? false,
    webhookSecretKey: values.WEBHOOK_SECRET_KEY ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    oidc: oidcOf(values),
    retentionYears: values.RETENTION_YEARS ?? 10,
    logLevel: values.LOG_LEVEL ?? 'info',
  };
}

/**
 * Reads the settings of a process; names it does not know are ignored. Throws ConfigurationError
 * with a line for every variable that is wrong or missing; values of secrets are in none.
 */
export function readConfiguration(
  mode: ConfigurationMode,
  environment: Environment,
): Configuration {
  const faults: Faults = new Map();
  const values = readValues(environment, faults);
  requireValues(mode, values, faults);
  requireDistinctPorts(mode, values, faults);
  const chargingTls = chargingTlsOf(mode, values, faults);
  if (faults.size === 0) return configurationOf(mode, values, chargingTls);
  const lines = VARIABLE_NAMES.filter((name) => faults.has(name));
  throw new ConfigurationError(lines.map((name) => `${name}: ${faults.get(name)}`).join('\n'));
}

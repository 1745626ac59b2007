import { availableParallelism } from 'node:os';
import path from 'node:path';
import { ConfigurationError, defaultShare, readConfiguration } from './configuration.js';
import type { ConfigurationMode, Environment } from './configuration.js';
import { withPorts } from './configuration-urls.js';

const SECRET = 'a-secret-of-at-least-32-characters!';
const EXTERNAL = {
  DATABASE_URL: 'postgresql://popindex:hunter2@db.example.com/popindex',
  ADMIN_TOKEN: SECRET,
};
const SENDER = 'Popindex <billing@example.com>';
const SPLIT = { ...EXTERNAL, CHARGING_SECRET: SECRET, CHARGING_URLS: 'http://10.0.0.7:3002' };

function lines(mode: ConfigurationMode, environment: Environment): string[] {
  try {
    readConfiguration(mode, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n');
    throw error;
  }
}

test('without any setting it is the embedded service with demo data on this machine', () => {
  expect(readConfiguration('standalone', {})).toEqual({
    mode: 'standalone',
    databaseUrl: null,
    migrationDatabaseUrl: null,
    databaseRequireSync: false,
    dataDir: path.resolve('.data'),
    host: '127.0.0.1',
    apiPort: 3000,
    apiWorkers: defaultShare(availableParallelism()),
    deciders: defaultShare(availableParallelism()),
    accountingPort: 3001,
    chargingPort: 3002,
    portalPort: 3003,
    baseUrl: 'http://127.0.0.1:3000',
    portalUrl: 'http://127.0.0.1:3003',
    dashboardUrl: 'http://127.0.0.1:3003/dashboard',
    givenUrls: {},
    billingTimeZone: 'UTC',
    regions: ['us', 'gb', 'fr', 'kr', 'jp', 'global'],
    sources: ['google', 'tiktok', 'instagram'],
    adminToken: null,
    adminUrl: null,
    apiUrl: null,
    demo: true,
    corsOrigins: [],
    chargingUrls: [],
    chargingSocket: null,
    chargingSecret: null,
    chargingTls: null,
    trustProxy: [],
    smtpUrl: null,
    mailFrom: null,
    webhookAllowPrivate: false,
    webhookSecretKey: null,
    metricsToken: null,
    oidc: null,
    retentionYears: 10,
    logLevel: 'info',
  });
});

test.each([
  [1, 0],
  [2, 0],
  [3, 0],
  [4, 2],
  [7, 3],
  [64, 8],
])(
  'of %i cores as many processes serve the API, and as many threads decide: %i',
  (cores, share) => {
    expect(defaultShare(cores)).toBe(share);
  },
);

test('every setting is read in its own type', () => {
  const configuration = readConfiguration('standalone', {
    ...SPLIT,
    DATA_DIR: '/var/lib/popindex',
    HOST: '::1',
    API_PORT: '8080',
    API_WORKERS: '3',
    DECIDERS: '4',
    ACCOUNTING_PORT: '8081',
    PORTAL_PORT: '8083',
    CHARGING_PORT: '8082',
    BASE_URL: 'https://data.example.com/',
    BILLING_TIME_ZONE: 'Pacific/Auckland',
    DEMO: 'true',
    CHARGING_URLS: 'http://10.0.0.7:3002, http://10.0.0.8:3002, unix:/run/p.sock',
    CHARGING_SOCKET: '/run/p.sock',
    TRUST_PROXY: '10.0.0.0/8, ::1, 192.0.2.1',
    CORS_ORIGINS: 'https://app.example.com, *',
    SMTP_URL: 'smtps://mail.example.com',
    MAIL_FROM: SENDER,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_SECRET_KEY: SECRET,
    METRICS_TOKEN: SECRET,
    RETENTION_YEARS: '7',
    LOG_LEVEL: 'debug',
  });
  expect(configuration).toMatchObject({
    databaseUrl: EXTERNAL.DATABASE_URL,
    dataDir: '/var/lib/popindex',
    apiPort: 8080,
    apiWorkers: 3,
    deciders: 4,
    corsOrigins: ['https://app.example.com', '*'],
    baseUrl: 'https://data.example.com',
    portalUrl: 'http://[::1]:8083',
    dashboardUrl: 'http://[::1]:8083/dashboard',
    billingTimeZone: 'Pacific/Auckland',
    adminToken: SECRET,
    demo: true,
    chargingUrls: ['http://10.0.0.7:3002', 'http://10.0.0.8:3002', 'unix:/run/p.sock'],
    chargingSocket: '/run/p.sock',
    chargingSecret: SECRET,
    trustProxy: ['10.0.0.0/8', '::1', '192.0.2.1'],
    smtpUrl: 'smtps://mail.example.com',
    mailFrom: 'Popindex <billing@example.com>',
    webhookAllowPrivate: true,
    webhookSecretKey: SECRET,
    metricsToken: SECRET,
    retentionYears: 7,
    logLevel: 'debug',
  });
});

test.each([
  ['API_PORT', '65536', 'takes a port, 0 to 65535; it is "65536"'],
  ['API_PORT', '-1', 'takes a port, 0 to 65535; it is "-1"'],
  ['API_WORKERS', '65', 'takes a number of processes, 0 to 64; it is "65"'],
  ['DECIDERS', '17', 'takes a number of threads, 0 to 16; it is "17"'],
  ['CHARGING_SOCKET', 'x'.repeat(101), 'takes the path of a socket, at most 100 bytes'],
  ['CHARGING_URLS', 'unix:here', 'takes the addresses of the accounting processes'],
  ['ACCOUNTING_PORT', '3e3', 'takes a port, 0 to 65535; it is "3e3"'],
  ['PORTAL_PORT', '3000', 'takes a port of its own; 3000 is the port of API_PORT'],
  ['HOST', 'http://0.0.0.0', 'takes an address or name of this machine to listen on'],
  ['BASE_URL', 'data.example.com', 'it is no URL; it is "data.example.com"'],
  ['BASE_URL', 'ftp://data.example.com', '"ftp:" is not http: or https:'],
  ['PORTAL_URL', 'https://portal.example.com/?a=1', 'password; it has a query; it is "https://'],
  ['ADMIN_URL', 'https://admin.example.com/#top', 'password; it has a fragment; it is "https://'],
  ['API_URL', 'https://api.example.com/?#', 'it has a query, it has a fragment; it is "https://'],
  ['BASE_URL', 'https://example.com/a;b', 'its path has other characters than letters, digits'],
  ['BASE_URL', 'https://example.com/a//b', 'its path has other characters than letters, digits'],
  ['BILLING_TIME_ZONE', 'Mars/Olympus', 'takes an IANA time zone such as Europe/Berlin'],
  [
    'REGIONS',
    'de, DE, de',
    'takes codes of regions such as de,at,global, comma-separated; "DE" is not 1 to 16 characters of a to z, 0 to 9 and "-", "de" is named twice',
  ],
  [
    'SOURCES',
    'month,Shops,a,a',
    '4 are named, "month" is no such name, "Shops" is no such name, "a" is named twice',
  ],
  ['BILLING_TIME_ZONE', '+02:00', 'takes an IANA time zone such as Europe/Berlin'],
  ['DEMO', 'yes', 'takes true or false; it is "yes"'],
  ['TRUST_PROXY', '10.0.0.0/33', 'takes IP addresses or ranges such as 10.0.0.0/8'],
  ['TRUST_PROXY', '10.0.0.1,proxy', 'takes IP addresses or ranges such as 10.0.0.0/8'],
  ['TRUST_PROXY', '10.0.0.1,', 'takes IP addresses or ranges such as 10.0.0.0/8'],
  ['CHARGING_URLS', '10.0.0.7', 'takes the addresses of the accounting processes'],
  ['SMTP_URL', 'mail.example.com', 'takes the URL of a mail server, smtp:// or smtps://'],
  ['MAIL_FROM', 'billing', 'takes a sender such as'],
  ['WEBHOOK_ALLOW_PRIVATE', '1', 'takes true or false; it is "1"'],
  ['RETENTION_YEARS', '0', 'takes a number of years, 1 to 100; it is "0"'],
  ['LOG_LEVEL', 'loud', 'takes one of trace, debug, info, warn, error, fatal, silent'],
])('%s=%s stops the start with one line that names it', (name, value, words) => {
  const [line, ...rest] = lines('standalone', { [name]: value });
  expect(line).toMatch(new RegExp(`^${name}: `));
  expect(line).toContain(words);
  expect(rest).toEqual([]);
});

test.each(['BASE_URL', 'PORTAL_URL', 'ADMIN_URL', 'DASHBOARD_URL', 'API_URL'])(
  'a password in %s stops the start, and is not printed',
  (name) => {
    for (const url of ['https://me:hidden@example.com', 'https://me:hidden@exa mple.com']) {
      const [line = '', ...rest] = lines('standalone', { [name]: url });
      expect(line).toMatch(new RegExp(`^${name}: takes a public address such as https://data\\.`));
      expect(line).not.toContain('hidden');
      expect(rest).toEqual([]);
    }
  },
);

test('public addresses have a path, and are kept as clients write them', () => {
  const urls = readConfiguration('standalone', {
    BASE_URL: 'https://API.example.com:443/popindex/v2.0/',
    ADMIN_URL: 'https://example.com/ops_~1',
    DASHBOARD_URL: 'https://app.example.com/@all/caf%C3%A9/',
  });
  expect(urls).toMatchObject({
    baseUrl: 'https://api.example.com/popindex/v2.0',
    adminUrl: 'https://example.com/ops_~1',
    dashboardUrl: 'https://app.example.com/@all/caf%C3%A9',
  });
});

test.each(['ADMIN_TOKEN', 'CHARGING_SECRET', 'METRICS_TOKEN', 'WEBHOOK_SECRET_KEY'])(
  '%s that may be guessed stops the start, and is not printed',
  (name) => {
    for (const weak of ['a'.repeat(64), 'changeme'.repeat(8), 'Tr0ub4dor&3-but-short']) {
      const [line = '', ...rest] = lines('standalone', { [name]: weak });
      expect(line).toBe(
        `${name}: takes a secret of at least 32 visible ASCII characters, 10 of them different`,
      );
      expect(rest).toEqual([]);
    }
  },
);

test.each<[ConfigurationMode, Environment, string[]]>([
  ['standalone', { DATABASE_URL: EXTERNAL.DATABASE_URL }, ['ADMIN_TOKEN']],
  ['standalone', { SMTP_URL: 'smtp://mail.example.com' }, ['MAIL_FROM']],
  ['standalone', { MAIL_FROM: SENDER }, ['SMTP_URL']],
  ['accounting', { ...SPLIT, MAIL_FROM: SENDER }, ['SMTP_URL']],
  // Processes that send nothing may share the settings of those that do.
  ['api', { ...SPLIT, MAIL_FROM: SENDER, OIDC_ROLE_CLAIM: 'roles' }, []],
  ['popindex', { MAIL_FROM: SENDER, OIDC_ROLE_CLAIM: 'roles' }, []],
  ['standalone', { OIDC_ISSUER: 'https://id.example.com' }, ['OIDC_CLIENT_ID']],
  ['standalone', { OIDC_CLIENT_ID: 'popindex' }, ['OIDC_ISSUER']],
  ['standalone', { OIDC_CLIENT_SECRET: 'x' }, ['OIDC_ISSUER']],
  ['standalone', { OIDC_ROLE_CLAIM: 'roles' }, ['OIDC_ISSUER']],
  ['standalone', { OIDC_EMAIL_DOMAINS: 'example.com' }, ['OIDC_ISSUER']],
  ['standalone', { MIGRATION_DATABASE_URL: EXTERNAL.DATABASE_URL }, ['DATABASE_URL']],
  ['popindex', { MIGRATION_DATABASE_URL: EXTERNAL.DATABASE_URL }, ['DATABASE_URL']],
  ['api', {}, ['DATABASE_URL', 'CHARGING_URLS', 'CHARGING_SECRET']],
  ['accounting', {}, ['DATABASE_URL', 'ADMIN_TOKEN', 'CHARGING_SECRET']],
  ['accounting', SPLIT, []],
  ['api', SPLIT, []],
  ['popindex', {}, []],
  ['popindex', { DATABASE_URL: EXTERNAL.DATABASE_URL }, []],
])('of %s with %j these settings are missing: %j', (mode, environment, names) => {
  const found = lines(mode, environment);
  expect(found.map((line) => line.split(':')[0])).toEqual(names);
  expect(found.every((line) => line.includes('it is required'))).toBe(true);
});

test('all faults are reported at once, one line each', () => {
  expect(lines('api', { API_PORT: 'x', LOG_LEVEL: 'y' }).map((line) => line.split(':')[0])).toEqual(
    ['DATABASE_URL', 'API_PORT', 'CHARGING_URLS', 'CHARGING_SECRET', 'LOG_LEVEL'],
  );
});

test.each(['DATABASE_URL', 'ADMIN_TOKEN', 'CHARGING_SECRET', 'SMTP_URL'])(
  'a wrong %s is reported without its value',
  (name) => {
    const [line] = lines('popindex', { [name]: 'hunter2' });
    expect(line).toContain(`${name}: takes `);
    expect(line).not.toContain('hunter2');
  },
);

test('an empty setting counts as unset, and a foreign name is nobody’s business', () => {
  const environment = { API_PORT: '', DATABASE_URL: '  ', POPINDEX_PORT: 'x', PORT: 'y' };
  expect(readConfiguration('standalone', environment)).toEqual(readConfiguration('standalone', {}));
});

test('two free ports are not the same port', () => {
  const environment = { API_PORT: '0', ACCOUNTING_PORT: '0', PORTAL_PORT: '0' };
  expect(lines('standalone', environment)).toEqual([]);
});

test('ports that turn out later move the addresses that were not given', () => {
  const environment = { API_PORT: '0', PORTAL_PORT: '0', DASHBOARD_URL: 'https://d.example.com' };
  const configuration = readConfiguration('standalone', environment);
  expect(withPorts(configuration, { apiPort: 4000, portalPort: 4003 })).toMatchObject({
    apiPort: 4000,
    baseUrl: 'http://127.0.0.1:4000',
    portalUrl: 'http://127.0.0.1:4003',
    dashboardUrl: 'https://d.example.com',
  });
});

test('a server on every address is linked to by a name that can be called', () => {
  expect(readConfiguration('standalone', { HOST: '0.0.0.0' }).baseUrl).toBe(
    'http://localhost:3000',
  );
});

import type { VariableName } from './configuration-variables.js';

/** A setting as the page for operators explains it. */
export interface SettingGuide {
  readonly meaning: string;
  /** Default in words, where it follows from other settings or depends on the process. */
  readonly byDefault?: string;
}

type Section = Partial<Readonly<Record<VariableName, SettingGuide>>>;

const DATABASE: Section = {
  DATABASE_URL: {
    byDefault: 'none: the embedded PostgreSQL',
    meaning: 'The database. It must exist, and may be empty.',
  },
  MIGRATION_DATABASE_URL: {
    byDefault: 'that of `DATABASE_URL`',
    meaning:
      'The user who migrates and restores. The user of `DATABASE_URL` then cannot change or remove events ([how](operating.md#a-user-of-its-own-for-the-service)).',
  },
  DATABASE_REQUIRE_SYNC: {
    meaning:
      '`/readyz` warns when commits wait for no standby ([failover](operating.md#a-database-with-standbys)).',
  },
  DATA_DIR: {
    meaning:
      'The embedded database, generated secrets, and calls that are not answered yet. One process at a time owns a database in it.',
  },
  BILLING_TIME_ZONE: {
    meaning: 'Where Tuesdays, days and months begin. The first start fixes it.',
  },
  RETENTION_YEARS: {
    meaning: 'How long after their year of issue documents keep the names of their parties.',
  },
  DEMO: {
    byDefault: '`true`, but `false` with `DATABASE_URL`',
    meaning: 'Demo data and a demo account on an empty database (`npm start` only).',
  },
};

const PROCESSES: Section = {
  HOST: { meaning: 'The address on which the servers listen.' },
  API_PORT: { meaning: 'Port of the public API. Port 0 is any free one.' },
  ACCOUNTING_PORT: { meaning: 'Port of the admin REST and the console.' },
  PORTAL_PORT: { meaning: 'Port of the customers’ portal.' },
  API_WORKERS: {
    byDefault: 'half of the cores, at most 8, 0 on fewer than 4; 0 for `start:api`',
    meaning: 'Processes that serve the public API together. 0: the process itself serves it.',
  },
  DECIDERS: {
    byDefault: 'half of the cores, at most 8, 0 on fewer than 4',
    meaning:
      'Threads that decide calls and changes, each for its accounts. 0: the main thread decides.',
  },
  LOG_LEVEL: { meaning: 'The least severe lines that are logged.' },
};

const ADDRESSES: Section = {
  BASE_URL: {
    byDefault: 'from `HOST` and `API_PORT`',
    meaning:
      'Public address of the API, in links. A proxy removes its path ([how](operating.md#behind-a-proxy)).',
  },
  PORTAL_URL: {
    byDefault: 'from `HOST` and `PORTAL_PORT`',
    meaning: 'Public address of the portal, in links. A proxy removes its path.',
  },
  DASHBOARD_URL: {
    byDefault: '`PORTAL_URL` and `/dashboard`',
    meaning: 'Start of every `dashboard` link in answers.',
  },
  ADMIN_URL: {
    byDefault: 'from `HOST` and `ACCOUNTING_PORT`',
    meaning:
      'Address of the admin REST for commands, and of the console for browsers. A proxy removes its path.',
  },
  API_URL: {
    byDefault: 'that of `BASE_URL`',
    meaning: 'Where the portal’s calls reach the API (split processes).',
  },
  TRUST_PROXY: {
    meaning: 'Proxies whose `X-Forwarded-Host`, `X-Forwarded-For` and `Forwarded` count.',
  },
  CORS_ORIGINS: {
    meaning: 'Web pages of these origins may call the public API. Its documents are open to all.',
  },
};

const SECRETS: Section = {
  ADMIN_TOKEN: {
    byDefault: 'made, and kept in `DATA_DIR/admin-token`',
    meaning: 'Opens the admin REST. Required with `DATABASE_URL`.',
  },
  METRICS_TOKEN: {
    meaning: 'Opens `/metrics` from anywhere. Without it `/metrics` answers this machine alone.',
  },
  WEBHOOK_SECRET_KEY: {
    byDefault: 'another secret of the service',
    meaning: 'Encrypts the secrets of webhooks. It is the same in every process.',
  },
};

const CHARGING: Section = {
  CHARGING_PORT: { meaning: 'Port on which an accounting process takes charges.' },
  CHARGING_URLS: {
    meaning: 'Every accounting process. An API process requires it.',
  },
  CHARGING_SOCKET: {
    meaning:
      'A socket on which an accounting process takes charges, too. It costs API processes of the same machine less than a port.',
  },
  CHARGING_SECRET: {
    meaning: 'The secret by which API and accounting processes authenticate each other.',
  },
  CHARGING_TLS_CERT: {
    meaning:
      'The certificate that this process shows on the charging link, with those between it and the CA. Set all three `CHARGING_TLS_…` or none ([how](operating.md#tls-between-the-processes)).',
  },
  CHARGING_TLS_KEY: { meaning: 'The private key of that certificate.' },
  CHARGING_TLS_CA: {
    meaning:
      'The CA that signs the certificates of the other side; several while one replaces another.',
  },
};

const NOTIFICATIONS: Section = {
  SMTP_URL: {
    meaning:
      'The mail server for alerts, invoices and links, as in `smtp://user:password@mail.example.com`.',
  },
  MAIL_FROM: { meaning: 'The sender of these e-mails. Required with `SMTP_URL`.' },
  WEBHOOK_ALLOW_PRIVATE: {
    meaning: 'Webhooks may use http, and addresses that are not public.',
  },
};

const SIGN_IN: Section = {
  OIDC_ISSUER: {
    meaning:
      'People sign in to console and portal with their company account ([how](operating.md#signing-in-with-the-company-account)).',
  },
  OIDC_CLIENT_ID: { meaning: 'Required with `OIDC_ISSUER`.' },
  OIDC_CLIENT_SECRET: { meaning: 'Leave it unset for a public client.' },
  OIDC_ROLE_CLAIM: {
    byDefault: 'the claim `roles`',
    meaning: 'The claim that holds `owner`, `billing`, `support` or `data`.',
  },
  OIDC_EMAIL_DOMAINS: {
    meaning:
      'Addresses of these domains count where the provider does not send `email_verified`. An address with `false` never counts.',
  },
};

/** Every setting once, in the order of the page. */
export const SETTING_SECTIONS: Readonly<Record<string, Section>> = {
  'Database and data': DATABASE,
  'Processes and ports': PROCESSES,
  'Public addresses': ADDRESSES,
  Secrets: SECRETS,
  'The link between API and accounting': CHARGING,
  'E-mails and webhooks': NOTIFICATIONS,
  'Sign-in with a company account': SIGN_IN,
};

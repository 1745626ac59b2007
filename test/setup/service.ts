import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildClient, type Prices } from '#client/build-clients.js';
import { Connection } from '#client/connection.js';
import { forAllTests } from './for-all-tests.js';
import { freePort } from './free-port.js';
import { ServiceProcess } from './service-process.js';
import { createTestDatabase, type Template } from './test-database.js';

export const ADMIN_TOKEN = 'an-admin-token-of-the-tests-0123456789';

/** Each list waits 2 s for its rows before it answers without. */
const LAGGING_MAX = 5;

/** Answer of a request, its body read as JSON where it is one. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

export interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request as a customer's program makes it. */
export async function ask(url: string, token: string, options: Ask = {}): Promise<Answer> {
  const { method = 'GET', body, headers = {} } = options;
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const parsed = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, body: parsed, text };
}

/** A customer with an API key, as the tests call it. */
export interface Customer {
  readonly accountId: string;
  readonly apiKey: string;
  /** The client of the customer's program, where no answer is inspected. */
  readonly client: Prices;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** Billing details with all that an invoice needs. */
export const BUYER = {
  name: 'Nadja Ltd',
  address: { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' },
  email: 'nadja@example.org',
};

/** Addresses of a service and what operator and customer do there. */
export class ServiceClient {
  constructor(
    readonly apiUrl: string,
    readonly adminUrl: string,
    readonly adminToken = ADMIN_TOKEN,
  ) {}

  /** A list that says that it lacks something is asked for again. */
  async admin(pathname: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
    const url = `${this.adminUrl}/admin/v1${pathname}`;
    for (let left = LAGGING_MAX; ; left -= 1) {
      const answer = await ask(url, this.adminToken, { method, body });
      if (left === 0 || !answer.headers.has('projection-lag')) return answer;
    }
  }

  /** Opens an account with credits and a key; with a plan it has billing details. */
  async customer(
    credits: number,
    account: Readonly<Record<string, unknown>> = {},
    billing: object | null = account['plan'] === undefined ? null : BUYER,
  ) {
    const { id: accountId } = await this.make<{ id: string }>('/accounts', {
      name: 'Nadja',
      ...account,
    });
    if (billing !== null) await this.admin(`/accounts/${accountId}/billing`, billing, 'PUT');
    const keys = `/accounts/${accountId}/api-keys`;
    const { key: apiKey } = await this.make<{ key: string }>(keys, { label: 'laptop' });
    if (credits > 0) {
      await this.make(`/accounts/${accountId}/grants`, { credits, kind: 'promotional' });
    }
    return this.customerWith(accountId, apiKey);
  }

  /** A customer as a program that has the API key. */
  customerWith(accountId: string, apiKey: string): Customer {
    return {
      accountId,
      apiKey,
      client: buildClient({ baseUrl: this.apiUrl, apiKey }, []),
      get: (pathname, headers) => ask(`${this.apiUrl}${pathname}`, apiKey, { headers }),
    };
  }

  async moveClock(accountId: string, now: string): Promise<void> {
    await this.make(`/accounts/${accountId}/test-clock`, { now });
  }

  /** Throws what the service refuses. */
  private make<Made>(path: string, body: unknown): Promise<Made> {
    const headers = { Authorization: `Bearer ${this.adminToken}` };
    const operator = new Connection({ baseUrl: `${this.adminUrl}/admin/v1`, headers });
    return operator.json<Made>({ method: 'POST', path, body });
  }
}

function urlAt(port: string): string {
  return `http://127.0.0.1:${port}`;
}

async function settingsOn(databaseUrl: string, dataDir: string) {
  const [api, admin, portal] = [await freePort(), await freePort(), await freePort()];
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ADMIN_TOKEN,
    API_PORT: String(api),
    ACCOUNTING_PORT: String(admin),
    PORTAL_PORT: String(portal),
    DEMO: 'true',
  };
}

const DEMO_NAME = `popindex_demo_${process.env.TEST_RUN}`;
/** Files of the demo beside its database. */
const DEMO_FOLDER = path.join(tmpdir(), DEMO_NAME);

/** A service takes longer to write the demo than to start. */
const DEMO: Template = {
  name: DEMO_NAME,
  fill: async (url) => {
    const service = ServiceProcess.spawn('standalone', await settingsOn(url, DEMO_FOLDER));
    await service.printed('Ready.');
    await service.stop();
  },
};

/** A whole service in one process on a database of its own, with the demo data. */
export class Service extends ServiceClient {
  private constructor(
    apiUrl: string,
    adminUrl: string,
    readonly databaseUrl: string,
    public process: ServiceProcess,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly remove: () => Promise<void>,
  ) {
    super(apiUrl, adminUrl);
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Service> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'popindex-service-'));
    const isDemo = env['DEMO'] !== 'false';
    const database = await createTestDatabase(isDemo ? DEMO : undefined);
    if (isDemo) await cp(DEMO_FOLDER, dataDir, { recursive: true });
    const settings = { ...(await settingsOn(database.url, dataDir)), ...env };
    const [apiUrl, adminUrl] = [urlAt(settings.API_PORT), urlAt(settings.ACCOUNTING_PORT)];
    const process = await ServiceProcess.spawn('standalone', settings, apiUrl).ready();
    const remove = async (): Promise<void> => {
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    };
    return new Service(apiUrl, adminUrl, database.url, process, settings, remove);
  }

  /** One for all tests of a spec. */
  static ofFile(env: Readonly<Record<string, string>> = {}): Service {
    return forAllTests(
      () => Service.start(env),
      (service) => service.stop(),
    );
  }

  /** Starts another process in the place of one that ended. */
  async restart(): Promise<void> {
    this.process = await ServiceProcess.spawn('standalone', this.settings, this.apiUrl).ready();
  }

  /** Stops it and removes its database. */
  async stop(): Promise<void> {
    await this.process.stop();
    await this.remove();
  }
}

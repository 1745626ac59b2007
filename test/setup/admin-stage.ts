import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import type { Units } from '#account/terms.js';
import { callAt, terms, TUESDAY } from '#account/scenario.suite.js';
import { renderDocuments } from '#invoice-documents/render-documents.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { ProjectionRunner } from '#event-log/projection-runner.js';
import { SystemStream } from '#event-log/system-stream.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { TextKeys } from '#projections/texts/text-keys.js';
import { allProjections } from '#projections/projections/projections.js';
import type { NamedResource } from '#rating/named-resource.js';
import type { Log } from '#web/log.js';
import { OpenApiMatcher } from './openapi-matcher.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { DueTimer } from '#deciding/due-timer.js';
import { Accounting } from '#deciding/accounting.js';
import { openDeliveries, type Deliveries } from '#deliveries/deliveries.js';
import type { MailSettings } from '#deliveries/send-mail.js';
import { Invoicing } from '#invoicing/invoicing.js';
import { Rebuilds } from '#rest/system/rebuilds.js';
import { Verifications } from '#rest/system/verifications.js';
import { LiveTerms } from '#deciding/live-terms.js';
import { openReceipts, type RunningReceipts } from '#receipts/start-receipts.js';
import { SignInRecords } from '#rest/sign-in/sign-in-records.js';
import { accountingServices, type AccountingRuntime } from '../../apps/accounting/src/services.js';
import { jsonOf, type Asked, type Method } from './asked.js';
import { ADDRESSES, ADMIN_TOKEN, DELIVERY_SETTINGS } from './stage-settings.js';
import { stageRuntime } from './stage-runtime.js';
import { createAdmin } from '../../apps/accounting/src/admin.js';
import { adminDocument } from '#admin-backend/admin-document.js';

const PROJECTIONS = allProjections(terms.calendar);

/** A list answers after 2 s with what it has: so often it is asked for again on a busy machine. */
const LAGGING_MAX = 15;

const ready = () => ({ ready: true });

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** Empty where the answer is no JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** The admin REST on a database of its own; every answer is held against the document. */
export class AdminStage {
  /** Real time, ms since 1970. */
  now = TUESDAY;
  readonly errors: unknown[] = [];
  readonly matcher = OpenApiMatcher.made(adminDocument, ADDRESSES.baseUrl);
  readonly pool: pg.Pool;
  readonly signInRecords: SignInRecords;
  readonly log: PostgresEventLog;
  readonly stream: SystemStream;
  /** Read when somebody asks, and never too old: the clock of a stage jumps. */
  readonly liveTerms: LiveTerms;
  readonly accounting: Accounting;
  /** Its worker delivers once a spec has started it. */
  readonly deliveries: Deliveries;
  /** Issues when it is asked to; no worker runs. */
  readonly invoicing: Invoicing;
  readonly receipts: RunningReceipts;
  readonly projections: ProjectionRunner;
  readonly logTools: { readonly rebuilds: Rebuilds; readonly verifications: Verifications };
  readonly logger: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (members: object, message: string) => void this.errors.push([members, message]),
  };
  private readonly timer: DueTimer;
  private app: NestFastifyApplication | undefined;
  readonly clock = { now: () => this.now };

  private constructor(
    private readonly database: TestDatabase,
    readonly url: string,
    mail: MailSettings | null,
  ) {
    this.pool = openDatabase({ url, applicationName: 'admin-spec' });
    this.signInRecords = new SignInRecords(this.pool);
    this.log = new PostgresEventLog(this.pool, this.database.groups);
    this.projections = new ProjectionRunner(this.pool, PROJECTIONS);
    this.stream = new SystemStream(this.log);
    const { stream, clock } = this;
    const { calendar } = terms;
    this.liveTerms = new LiveTerms({ stream, calendar, clock, onFault: () => undefined });
    const common = { pool: this.pool, projections: PROJECTIONS, clock };
    const onFault = (error: unknown): unknown => this.errors.push(error);
    this.logTools = {
      rebuilds: new Rebuilds({ ...common, resume: () => this.projections.start(), onFault }),
      verifications: new Verifications({ ...common, terms: () => this.liveTerms.terms(), onFault }),
    };
    const settings = { ...DELIVERY_SETTINGS, mail };
    this.receipts = openReceipts({ ...common, system: stream, secret: settings.secret, onFault });
    this.deliveries = openDeliveries({
      pool: this.pool,
      log: this.log,
      system: stream,
      loader: new AccountLoader(this.pool),
      clock,
      settings,
      onFault,
      onNoMailServer: () => undefined,
    });
    this.accounting = new Accounting({
      log: this.log,
      loader: new AccountLoader(this.pool),
      clock: this.clock,
      texts: new TextKeys(this.pool),
      terms: () => this.liveTerms.terms(),
      liveTerms: {
        state: ready,
        has: (version) => this.liveTerms.has(version),
        refresh: () => this.liveTerms.refresh(),
        sells: (product) => this.liveTerms.sells(product),
      },
      events: { onFault },
    });
    this.timer = new DueTimer(this.pool, this.accounting, clock, calendar, onFault);
    this.invoicing = new Invoicing({
      pool: this.pool,
      log: this.log,
      system: stream,
      accounting: this.accounting,
      projections: this.projections,
      calendar,
      clock,
      render: async (inputs) => inputs.map(renderDocuments),
      logger: this.logger,
      closeMonths: () => this.closeMonths(),
    });
  }

  /** `way`: leads to the database from its own address, straight unless given. `mail`: a server. */
  static async open(
    way: (url: string) => Promise<string> = async (url) => url,
    mail: MailSettings | null = null,
  ): Promise<AdminStage> {
    const database = await createTestDatabase();
    const stage = new AdminStage(database, await way(database.url), mail);
    await stage.liveTerms.refresh();
    stage.app = await stage.serve();
    stage.projections.start();
    return stage;
  }

  /** Records what has fallen due of accounts that live in real time. */
  closeMonths(): Promise<void> {
    return this.timer.tickAll();
  }

  async close(): Promise<void> {
    await this.app?.close();
    await this.accounting.stop();
    await this.logTools.rebuilds.stop();
    await this.logTools.verifications.stop();
    await this.projections.stop();
    await this.pool.end();
    await this.database.drop();
  }

  /** Clock of the rate limits, in ms. */
  rateClock = (): number => performance.now();

  /** Running parts of this stage, from which its admin REST and portal are made. */
  runtime(): AccountingRuntime {
    return stageRuntime(this);
  }

  /** An admin REST of this stage; `members`: of its settings, where they are others. */
  serve(
    members: Partial<AccountingRuntime['configuration']> = {},
  ): Promise<NestFastifyApplication> {
    const own = this.runtime();
    const runtime = { ...own, configuration: { ...own.configuration, ...members } };
    return createAdmin(runtime, accountingServices(runtime));
  }

  /** Asks as an operator does and holds the answer against the document. */
  async ask(method: Method, url: string, asked: Asked = {}): Promise<Answered> {
    for (let left = LAGGING_MAX; ; left -= 1) {
      const answered = await this.once(method, url, asked);
      const isWhole = answered.headers['projection-lag'] === undefined;
      if (isWhole || asked.mayLag === true || left === 0) return answered;
    }
  }

  private async once(method: Method, url: string, asked: Asked): Promise<Answered> {
    if (this.app === undefined) throw new Error('The stage is not open.');
    const { body, raw, key, authorization = `Bearer ${ADMIN_TOKEN}` } = asked;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await this.app.inject({
      method,
      url,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...asked.headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const { statusCode: status, headers, body: text, rawPayload: bytes } = response;
    this.matcher.expect({ method, url, status, headers, body: text });
    return { status, headers, text, bytes, json: jsonOf(headers['content-type'], text) };
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    return this.ask('GET', `/admin/v1${path}`, { headers });
  }

  post(path: string, body?: unknown, key?: string): Promise<Answered> {
    return this.ask('POST', `/admin/v1${path}`, { body, ...(key !== undefined && { key }) });
  }

  /** Opens an account; answers its id. */
  async account(members: object = {}): Promise<string> {
    const opened = await this.post('/accounts', { name: 'Nails & Co', ...members });
    return idOf(opened);
  }

  /** An account with an API key and credits: purchased where there is a price. */
  async prepaid(members = {}, credits = 100_000, price: number | null = null): Promise<string> {
    const id = await this.account(members);
    idOf(await this.post(`/accounts/${id}/api-keys`, { label: 'Production' }));
    const grant = { credits, kind: price === null ? 'promotional' : 'purchased', price };
    idOf(await this.post(`/accounts/${id}/grants`, grant));
    return id;
  }

  /** One metered call with the account's first API key; answers its id and what it cost. */
  async call(
    accountId: string,
    changes: {
      readonly resource?: NamedResource;
      readonly rows?: number;
      readonly units?: Units;
      readonly at?: number;
      readonly tags?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<{ readonly id: string; readonly made: CallMade }> {
    const { at = this.now, ...request } = changes;
    const id = randomUUID();
    const answer = await this.accounting.submit({
      accountId,
      callId: id,
      isRetry: false,
      notAfter: this.now + 10_000,
      command: callAt(at, { ...request, accountId, callId: id, notAfter: this.now + 10_000 }),
    });
    if (answer.refusal !== null) throw new Error(`The call was refused: ${answer.refusal.reason}.`);
    if (answer.event?.type !== 'CallMade') throw new Error('There was no call.');
    return { id, made: answer.event.data };
  }
}

/** The id of what was made; fails when nothing was. */
export function idOf({ status, json, text }: Answered): string {
  if (status !== 201 || typeof json['id'] !== 'string') throw new Error(`${status} ${text}`);
  return json['id'];
}

/** The items of a list; fails when it is none. */
export function itemsOf({ json, text }: Answered): Record<string, unknown>[] {
  if (!Array.isArray(json['items'])) throw new Error(text);
  return json['items'] as Record<string, unknown>[];
}

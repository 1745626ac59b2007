import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { ProjectionRunner } from '#event-log/projection-runner.js';
import { SystemStream } from '#event-log/system-stream.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { notificationsProjection } from '#projections/projections/notifications.projection.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import type { Change } from '#deciding/changes/change.js';
import { newCounters } from './delivery-counters.js';
import { BillingAddresses } from './billing-addresses.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DeliveryReads } from './delivery-reads.js';
import { DeliverySender, type SenderParts } from './delivery-sender.js';
import type { DeliveryView } from './delivery-view.js';
import { DeliveryWorker, type WorkerParts } from './delivery-worker.js';
import { openDeliveries } from './deliveries.js';
import { DocumentMails } from './document-mails.js';
import { FanOut } from './fan-out.js';
import { resolveLocally } from './resolve-host.js';
import { SecretBox } from '#projections/texts/secret-box.js';
import { OrderMails } from './order-mails.js';
import { SignInLinks } from './sign-in-links.js';
import { WebhookReads } from './webhook-reads.js';
import { WebhookSecrets } from './webhook-secrets.js';

export const SECRET = 'a-secret-of-at-least-32-characters-0123';
const ADDRESSES = { baseUrl: 'https://api.example.com', portalUrl: 'https://portal.example.com' };

/** One change of an operator's, like no other unless it has a key. */
export function change(idempotencyKey: string | null = null, input = randomUUID()): Change {
  return { by: 'owner', requestId: randomUUID(), idempotencyKey, input };
}

/** Changed options of a stage's worker. */
export interface WorkerChanges {
  readonly sender?: Partial<SenderParts>;
  readonly parts?: Partial<WorkerParts>;
}

/** Deliveries on a database of their own, in real time. */
export class DeliveryStage {
  readonly faults: unknown[] = [];
  readonly pool: pg.Pool;
  readonly log: PostgresEventLog;
  readonly system: SystemStream;
  readonly projections: ProjectionRunner;
  readonly reads: DeliveryReads;
  readonly counters = newCounters();
  readonly clock = { now: () => Date.now() };
  private readonly workers = new Set<DeliveryWorker>();
  private readonly loader: AccountLoader;

  private constructor(private readonly database: TestDatabase) {
    this.pool = openDatabase({ url: database.url, applicationName: 'deliveries-spec' });
    this.log = new PostgresEventLog(this.pool, this.database.groups);
    this.system = new SystemStream(this.log);
    this.loader = new AccountLoader(this.pool);
    this.reads = new DeliveryReads(this.pool, new BillingAddresses(this.pool, this.loader));
    this.projections = new ProjectionRunner(this.pool, [notificationsProjection], { pollMs: 10 });
  }

  static async open(): Promise<DeliveryStage> {
    const stage = new DeliveryStage(await createTestDatabase());
    stage.projections.start();
    return stage;
  }

  async close(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.stop(0)));
    await this.projections.stop();
    await this.pool.end();
    await this.database.drop();
  }

  /** Everything that is not under test as it is in the service. */
  deliveries(allowPrivate = true) {
    const { pool, log, system, loader, clock } = this;
    const settings = { ...ADDRESSES, mail: null, allowPrivate, secret: SECRET };
    const onFault = (error: unknown): void => void this.faults.push(error);
    const onNoMailServer = (): void => undefined;
    const parts = { pool, log, system, loader, clock, settings, onFault, onNoMailServer };
    return openDeliveries(parts);
  }

  /** Makes a webhook; answers its id and its secret. */
  async webhook(url: string, members: object = {}): Promise<{ id: string; secret: string }> {
    const body = { url, events: null, account_id: null, description: null, ...members };
    const { view } = await this.deliveries().webhooks.create(change(), body);
    return { id: view.id, secret: view.secret ?? '' };
  }

  /** A worker like the service's, but in more of a hurry. Not started. */
  worker({ sender = {}, parts = {} }: WorkerChanges = {}): DeliveryWorker {
    const { pool, clock, loader, system, counters } = this;
    const webhooks = new WebhookReads(system, clock);
    const secrets = new WebhookSecrets(pool, new SecretBox(SECRET));
    const post = { resolve: resolveLocally, allowPrivate: true, timeoutMs: 5_000 };
    const links = new SignInLinks({ pool, clock, ...ADDRESSES, canMail: true, secret: SECRET });
    const addresses = new BillingAddresses(pool, loader);
    const documents = new DocumentMails({ pool, system, addresses, ...ADDRESSES });
    const orders = new OrderMails({ pool, system, addresses, ...ADDRESSES });
    const mails = { pool, loader, links, documents, orders, ...ADDRESSES, mail: null };
    const usual = { ...mails, clock, webhooks, secrets, post };
    const worker = new DeliveryWorker({
      fanOut: new FanOut(pool, webhooks, sender.loader ?? loader, sender.mail != null),
      queue: this.queue(30_000),
      sender: new DeliverySender({ ...usual, onNoMailServer: () => undefined, ...sender }),
      counters,
      onFault: (error) => void this.faults.push(error),
      pollMs: 10,
      ...parts,
    });
    this.workers.add(worker);
    return worker;
  }

  queue(leaseMs: number): DeliveryQueue {
    return new DeliveryQueue(this.pool, leaseMs);
  }

  /** A worker that will never end, because the test has killed it. */
  forget(worker: DeliveryWorker): void {
    void worker.stop(0);
    this.workers.delete(worker);
  }

  /** Appends events of an account and waits until the projection has them. */
  async happen(account: TestAccount, events: readonly { type: string; data: object }[]) {
    const made = events.map(({ type, data }) =>
      account.next({ type, data: JSON.stringify(data), callId: null }),
    );
    await appendAll(this.log, [made]);
    await this.projected();
  }

  /** Opens accounts, so that webhooks can be for them. */
  async opened(...accounts: readonly TestAccount[]): Promise<void> {
    const terms = { overdraft: 0, test: false, test_clock: null, rate_limit: null };
    const profile = { id: randomUUID(), sha256: '' };
    const data = { ...terms, profile, currency: 'USD', low_balance: null, rate_card: null };
    for (const account of accounts) await this.happen(account, [{ type: 'AccountOpened', data }]);
  }

  /** Appends as many events that are notifications for everybody. */
  async notify(account: TestAccount, count = 1): Promise<void> {
    const event = { type: 'BalanceLow', data: { low_balance: 100, balance: 7, call_id: null } };
    await this.happen(
      account,
      Array.from({ length: count }, () => event),
    );
  }

  async projected(): Promise<void> {
    const ends = await this.log.ends();
    const positions = new Map(ends.map(({ lane, position }) => [lane, position]));
    if (!(await this.projections.catchUp('notifications', positions, 20_000))) {
      throw new Error('The projection stands still.');
    }
  }

  /** Deliveries to one receiver, oldest first. */
  async of(webhookId: string): Promise<readonly DeliveryView[]> {
    const filter = { after: null, limit: 1_000, order: 'asc', status: null } as const;
    return (await this.reads.list(webhookId, filter)).items;
  }

  /** Waits until a receiver has so many deliveries in a status. */
  async until(webhookId: string, status: DeliveryView['status'], count: number): Promise<void> {
    await waitFor(
      `${count} deliveries are ${status}`,
      async () =>
        (await this.of(webhookId)).filter((delivery) => delivery.status === status).length ===
        count,
      20_000,
    );
  }

  /** Waits until a receiver has so many attempts behind it. */
  async attempted(webhookId: string, count: number): Promise<void> {
    await waitFor(
      `${count} attempts`,
      async () => (await this.of(webhookId)).flatMap(({ attempts }) => attempts).length === count,
      20_000,
    );
  }

  /** Whatever is to be tried later is due now. */
  async timePasses(): Promise<void> {
    await this.pool.query(`update delivery set next_at = now() where status = 'pending'`);
  }
}

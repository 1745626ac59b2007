import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import type { EventLog } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { Profiles } from '#projections/texts/profiles.js';
import { TextKeys } from '#projections/texts/text-keys.js';
import { AlertReads } from './alert-reads.js';
import { BillingAddresses } from './billing-addresses.js';
import { DeliveryChanges } from './delivery-changes.js';
import { newCounters, type DeliveryCounters } from './delivery-counters.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DeliveryReads } from './delivery-reads.js';
import { DeliverySender } from './delivery-sender.js';
import { DeliveryWorker } from './delivery-worker.js';
import { DocumentMails } from './document-mails.js';
import { FanOut } from './fan-out.js';
import { OrderMails } from './order-mails.js';
import { resolveLocally, resolvePublicly } from './resolve-host.js';
import { SecretBox } from '#projections/texts/secret-box.js';
import type { MailSettings } from './send-mail.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import { WebhookChanges } from './webhook-changes.js';
import { WebhookList } from './webhook-list.js';
import { SignInLinks } from './sign-in-links.js';
import { WebhookReads } from './webhook-reads.js';
import { SecretSweep } from './secret-sweep.js';
import { WebhookSecrets } from './webhook-secrets.js';

export interface DeliverySettings {
  readonly baseUrl: string;
  readonly portalUrl: string;
  /** Null: no mail server is set. */
  readonly mail: MailSettings | null;
  /** Whether webhooks may be http, and lead to addresses that are not public. */
  readonly allowPrivate: boolean;
  /** The key of the webhooks' secrets is derived from it: the same in every process. */
  readonly secret: string;
}

export interface DeliveryParts {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'ends' | 'findCalls'>;
  readonly system: SystemStream;
  readonly loader: AccountLoader;
  readonly clock: Clock;
  readonly settings: DeliverySettings;
  readonly onFault: (error: unknown) => void;
  /** An e-mail is due and there is no mail server. */
  readonly onNoMailServer: () => void;
}

/** Notifications to others: the changes and reads of operators, and the worker that sends. */
export interface Deliveries {
  readonly allowPrivate: boolean;
  readonly webhooks: WebhookChanges;
  readonly webhookList: WebhookList;
  readonly attempts: DeliveryChanges;
  readonly alerts: AlertReads;
  readonly reads: DeliveryReads;
  /** Links of members to sign in with. */
  readonly signInLinks: SignInLinks;
  /** Secrets, encrypted with the key of this process. */
  readonly secrets: WebhookSecrets;
  /** Not started. */
  readonly worker: DeliveryWorker;
  /** Not started. */
  readonly sweep: SecretSweep;
  readonly counters: DeliveryCounters;
  /** How many deliveries are still to be made, by all processes. */
  pending(): Promise<number>;
  /** Cuts short what operators have asked for. */
  cut(): void;
}

const WEBHOOK_MS = 10_000;
/** Longer than any attempt, also one by e-mail. */
const LEASE_MS = 30_000;

/** Puts the deliveries of a process together; nothing runs yet. */
export function openDeliveries(parts: DeliveryParts): Deliveries {
  const { pool, log, system, loader, clock, settings, onFault, onNoMailServer } = parts;
  const { allowPrivate, baseUrl, portalUrl, mail } = settings;
  const cutting = new AbortController();
  const secrets = new WebhookSecrets(pool, new SecretBox(settings.secret));
  const webhooks = new WebhookReads(system, clock);
  const queue = new DeliveryQueue(pool, LEASE_MS);
  const resolve = allowPrivate ? resolveLocally : resolvePublicly;
  const post = { resolve, allowPrivate, timeoutMs: WEBHOOK_MS };
  const links = new SignInLinks({
    pool,
    clock,
    portalUrl,
    canMail: mail !== null,
    secret: settings.secret,
  });
  const addresses = new BillingAddresses(pool, loader);
  const documents = new DocumentMails({ pool, system, addresses, portalUrl });
  const orders = new OrderMails({ pool, system, addresses, portalUrl });
  const mails = { pool, loader, portalUrl, links, documents, orders };
  const senderParts = { ...mails, clock, webhooks, secrets, baseUrl, mail, post };
  const reads = new DeliveryReads(pool, addresses);
  const sender = new DeliverySender({ ...senderParts, onNoMailServer });
  const counters = newCounters();
  const fanOut = new FanOut(pool, webhooks, loader, mail !== null);
  const changes = new SystemChanges(system, clock);
  const { signal } = cutting;
  const profiles = new Profiles(pool);
  const texts = new TextKeys(pool);
  const kept = { secrets, profiles, texts, loader, pool };
  const changeParts = { system: changes, log, reads: webhooks, ...kept, clock };
  const attemptParts = { system: changes, webhooks, texts };
  return {
    allowPrivate,
    webhooks: new WebhookChanges(changeParts),
    webhookList: new WebhookList(pool, webhooks, reads),
    attempts: new DeliveryChanges({ ...attemptParts, reads, queue, sender, signal }),
    alerts: new AlertReads(pool, reads),
    reads,
    signInLinks: links,
    secrets,
    worker: new DeliveryWorker({ fanOut, queue, sender, counters, onFault }),
    sweep: new SecretSweep({ webhooks, secrets, onFault }),
    counters,
    pending: () => queue.pending(),
    cut: () => cutting.abort(),
  };
}

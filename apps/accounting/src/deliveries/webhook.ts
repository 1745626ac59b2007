import { SYSTEM_ACCOUNT, type StoredEvent } from '#event-log/event-log.js';
import type { NotificationType } from '#ledger/notification-types.js';
import {
  WEBHOOK_CREATED,
  WEBHOOK_REMOVED,
  WEBHOOK_SECRET_ROTATED,
  type SecretReference,
  type WebhookCreated,
  type WebhookRemoved,
  type WebhookSecretRotated,
} from './webhook-events.js';

/** One secret of a webhook. `replacedAt` in ms since 1970; null: it is the present one. */
export interface WebhookSecret extends SecretReference {
  readonly replacedAt: number | null;
}

/** A webhook as the system's stream tells it. Times are ms since 1970. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly NotificationType[] | null;
  readonly accountId: string | null;
  /** Newest first. */
  readonly secrets: readonly WebhookSecret[];
  readonly profile: string | null;
  readonly after: readonly number[];
  readonly createdAt: number;
  readonly removedAt: number | null;
}

export type Webhooks = ReadonlyMap<string, Webhook>;

/** A secret that was replaced signs beside its successor for this long. */
export const OLD_SECRET_SIGNS_MS = 24 * 3_600_000;

/** All webhooks there ever were, in the order of their creation. */
export function webhooksOf(events: readonly StoredEvent[]): Webhooks {
  return events.reduce(withEvent, new Map<string, Webhook>());
}

function withEvent(webhooks: Map<string, Webhook>, event: StoredEvent): Map<string, Webhook> {
  switch (event.type) {
    case WEBHOOK_CREATED:
      return add(webhooks, created(JSON.parse(event.data) as WebhookCreated, event.at));
    case WEBHOOK_REMOVED: {
      const { webhook_id: id } = JSON.parse(event.data) as WebhookRemoved;
      return add(webhooks, { ...known(webhooks, id), removedAt: event.at });
    }
    case WEBHOOK_SECRET_ROTATED: {
      const { webhook_id: id, secret } = JSON.parse(event.data) as WebhookSecretRotated;
      return add(webhooks, rotated(known(webhooks, id), secret, event.at));
    }
    default:
      return webhooks;
  }
}

function add(webhooks: Map<string, Webhook>, webhook: Webhook): Map<string, Webhook> {
  return webhooks.set(webhook.id, webhook);
}

function known(webhooks: Webhooks, id: string): Webhook {
  const webhook = webhooks.get(id);
  if (webhook === undefined) throw new Error(`The system's stream made no webhook ${id}.`);
  return webhook;
}

function created(data: WebhookCreated, at: number): Webhook {
  return {
    id: data.webhook_id,
    url: data.url,
    events: data.events,
    accountId: data.account_id,
    secrets: [{ ...data.secret, replacedAt: null }],
    profile: data.profile?.id ?? null,
    after: data.after,
    createdAt: at,
    removedAt: null,
  };
}

function rotated(webhook: Webhook, secret: SecretReference, at: number): Webhook {
  const older = webhook.secrets.map((old) => ({ ...old, replacedAt: old.replacedAt ?? at }));
  return { ...webhook, secrets: [{ ...secret, replacedAt: null }, ...older] };
}

/** The secrets that sign at a moment (ms since 1970), newest first. */
export function signingSecrets({ secrets }: Webhook, now: number): readonly WebhookSecret[] {
  return secrets.filter(
    ({ replacedAt }) => replacedAt === null || now < replacedAt + OLD_SECRET_SIGNS_MS,
  );
}

/** An event that somebody may be told of, and its place in the log. */
export interface Notification {
  readonly lane: number;
  readonly position: number;
  readonly accountId: string;
  readonly type: NotificationType;
}

/**
 * Whether a webhook is to be told: it is there, the event came after it, it asked for that type, and
 * for that account. What concerns the system is for webhooks without an account.
 */
export function wants(webhook: Webhook, notification: Notification): boolean {
  const { lane, position, accountId, type } = notification;
  if (webhook.removedAt !== null) return false;
  // A lane that the event does not name was not there yet.
  if (position <= (webhook.after[lane] ?? 0)) return false;
  if (webhook.events !== null && !webhook.events.includes(type)) return false;
  return webhook.accountId === null || webhook.accountId === accountId;
}

/** The account of a notification as others see it: null for what concerns the system. */
export function accountOf({ accountId }: Pick<Notification, 'accountId'>): string | null {
  return accountId === SYSTEM_ACCOUNT ? null : accountId;
}

import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import type { NotificationType } from '#projections/projections/notification-types.js';
import type { SecretReference } from './webhook-events.js';

/** One secret of a webhook. `replacedAt` in ms since 1970; null: it is the present one. */
export interface WebhookSecret extends SecretReference {
  readonly replacedAt: number | null;
}

/** A webhook that is there. Times are ms since 1970. */
export interface Webhook {
  readonly id: string;
  /** 1, 2, 3, … in the order of creation, removed ones included. */
  readonly number: number;
  readonly url: string;
  readonly events: readonly NotificationType[] | null;
  readonly accountId: string | null;
  /** Newest first: those that signed when the newest was made. */
  readonly secrets: readonly WebhookSecret[];
  readonly rotatedAt: number | null;
  readonly profile: string | null;
  readonly after: readonly number[];
  readonly createdAt: number;
}

/** A secret that was replaced signs beside its successor for this long. */
export const OLD_SECRET_SIGNS_MS = 24 * 3_600_000;
/** Of more than these the oldest end at once: each makes every delivery longer. */
const OLD_SECRETS_MAX = 10;

/** The secrets that sign at a moment (ms since 1970), newest first. */
export function signingSecrets({ secrets }: Webhook, now: number): readonly WebhookSecret[] {
  return secrets.filter(
    ({ replacedAt }) => replacedAt === null || now < replacedAt + OLD_SECRET_SIGNS_MS,
  );
}

/** A webhook after its secret was replaced. `at` in ms since 1970. */
export function withNewSecret(webhook: Webhook, secret: SecretReference, at: number): Webhook {
  const older = webhook.secrets
    .map((old) => ({ ...old, replacedAt: old.replacedAt ?? at }))
    .filter(({ replacedAt }) => at < replacedAt + OLD_SECRET_SIGNS_MS)
    .slice(0, OLD_SECRETS_MAX);
  return { ...webhook, secrets: [{ ...secret, replacedAt: null }, ...older], rotatedAt: at };
}

/** An event that may be delivered, and its place in the log. */
export interface Notification {
  readonly lane: number;
  readonly position: number;
  readonly accountId: string;
  readonly type: NotificationType;
}

/**
 * True if a webhook receives a notification: the event came after it, and it asked for that type
 * and that account. Events of the system are for webhooks without an account.
 */
export function wants(webhook: Webhook, notification: Notification): boolean {
  const { lane, position, accountId, type } = notification;
  // A lane that the event does not name was not there yet.
  if (position <= (webhook.after[lane] ?? 0)) return false;
  if (webhook.events !== null && !webhook.events.includes(type)) return false;
  return webhook.accountId === null || webhook.accountId === accountId;
}

/** The account of a notification as others see it: null for what concerns the system. */
export function accountOf({ accountId }: Pick<Notification, 'accountId'>): string | null {
  return accountId === SYSTEM_ACCOUNT ? null : accountId;
}

import { formatMoment } from '#calendar/instant.js';
import type { NotificationType } from '#projections/projections/notification-types.js';
import { OLD_SECRET_SIGNS_MS, type Webhook } from './webhook.js';

export interface WebhookView {
  readonly id: string;
  readonly url: string;
  readonly events: readonly NotificationType[] | null;
  readonly account_id: string | null;
  readonly description: string | null;
  readonly created_at: string;
  readonly secret_rotated_at: string | null;
  /** Until then the secret before signs beside the present one. */
  readonly old_secret_signs_until: string | null;
}

export interface WebhookWithSecret extends WebhookView {
  /** Shown once: the answer to a retry is without it. */
  readonly secret?: string;
}

/** A webhook as the admin REST shows it. `now` in ms since 1970. */
export function webhookView(
  webhook: Webhook,
  description: string | null,
  now: number,
): WebhookView {
  const { rotatedAt } = webhook;
  const signsUntil = rotatedAt === null ? null : rotatedAt + OLD_SECRET_SIGNS_MS;
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    account_id: webhook.accountId,
    description,
    created_at: formatMoment(webhook.createdAt),
    secret_rotated_at: momentOrNull(rotatedAt),
    old_secret_signs_until:
      signsUntil !== null && now < signsUntil ? formatMoment(signsUntil) : null,
  };
}

/** A moment that there may not be. */
export function momentOrNull(at: number | null): string | null {
  return at === null ? null : formatMoment(at);
}

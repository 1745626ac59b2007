import { formatMoment } from '#calendar/instant.js';
import { isMailServer } from './delivery-id.js';
import type { Attempt, Delivery, DeliveryStatus } from './delivery.js';
import { momentOrNull } from './webhook-view.js';

export interface AttemptView {
  readonly id: string;
  readonly at: string;
  readonly duration_ms: number;
  readonly outcome: Attempt['outcome'];
  /** Of the HTTP answer; null where there was none, and for e-mail. */
  readonly status: number | null;
  readonly detail: string | null;
}

export interface DeliveryView {
  /** `webhook-id`, and the id of the CloudEvent. */
  readonly id: string;
  readonly channel: 'webhook' | 'email';
  readonly webhook_id: string | null;
  /** Of an e-mail; null once it was erased. */
  readonly email: string | null;
  readonly type: string;
  /** Of the document that the e-mail is about; null of all else. */
  readonly number: string | null;
  readonly account_id: string | null;
  readonly status: DeliveryStatus;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly AttemptView[];
}

/** A delivery as the admin REST shows it, with what its rows name elsewhere. */
export function deliveryView(
  delivery: Delivery,
  attempts: readonly Attempt[],
  { email, number }: Pick<DeliveryView, 'email' | 'number'>,
): DeliveryView {
  const isMail = isMailServer(delivery.receiver);
  return {
    id: delivery.id,
    channel: isMail ? 'email' : 'webhook',
    webhook_id: isMail ? null : delivery.receiver,
    email,
    type: delivery.type,
    number,
    account_id: delivery.accountId,
    status: delivery.status,
    created_at: formatMoment(delivery.createdAt),
    next_attempt_at: momentOrNull(delivery.nextAt),
    attempts: attempts.map(({ id, at, durationMs, outcome, status, detail }) => ({
      id,
      at: formatMoment(at),
      duration_ms: durationMs,
      outcome,
      status,
      detail,
    })),
  };
}

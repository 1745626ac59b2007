import type { Clock } from '#calendar/clock.js';
import { notificationData } from '#projections/projections/notification-types.js';
import { cloudEvent, CLOUD_EVENT_TYPE } from './cloud-event.js';
import { deliveredEvent } from './delivered-event.js';
import { isMailServer } from './delivery-id.js';
import type { NewDelivery, Outcome, DeliveryAttempt } from './delivery.js';
import { Mails, type MailsParts } from './mails.js';
import { postWebhook, type PostOptions } from './post-webhook.js';
import { OtherKeyError } from '#projections/texts/secret-box.js';
import { sendMail, type MailSettings } from './send-mail.js';
import { signatures } from './signature.js';
import type { WebhookSecrets } from './webhook-secrets.js';
import { withUrls, type WebhookReads } from './webhook-reads.js';
import { signingSecrets, type Webhook } from './webhook.js';

export interface SenderParts extends MailsParts {
  readonly clock: Clock;
  readonly webhooks: WebhookReads;
  readonly secrets: WebhookSecrets;
  /** Public address of the service: where events come from. */
  readonly baseUrl: string;
  /** Null: no mail server is set. */
  readonly mail: MailSettings | null;
  /** An e-mail is due and there is no mail server. */
  readonly onNoMailServer: () => void;
  readonly post: Omit<PostOptions, 'signal'>;
}

/** The data of one delivery to send, with its `createdAt` in ms since 1970. */
export type DeliveryToSend = NewDelivery & { readonly createdAt: number };

/** Type of the deliveries that operators ask for to try a webhook. */
export const TEST_TYPE = 'webhook.test';

const USER_AGENT = 'Popindex-Webhooks/1.0';

/** Makes one attempt at a delivery. Whoever calls has claimed it, and writes down the outcome. */
export class DeliverySender {
  private readonly mails: Mails;

  constructor(private readonly parts: SenderParts) {
    this.mails = new Mails(parts);
  }

  /** `id`: of the attempt. Throws only when the database is away. */
  async attempt(
    id: string,
    delivery: DeliveryToSend,
    signal: AbortSignal,
  ): Promise<DeliveryAttempt> {
    const at = this.parts.clock.now();
    const startedAt = performance.now();
    const isMail = isMailServer(delivery.receiver);
    const outcome = await (isMail ? this.mail(delivery) : this.post(delivery, signal));
    return { id, at, durationMs: Math.round(performance.now() - startedAt), outcome };
  }

  private async post(delivery: DeliveryToSend, signal: AbortSignal): Promise<Outcome> {
    const { webhooks, clock } = this.parts;
    const found = (await webhooks.all()).get(delivery.receiver);
    if (found === undefined) return { outcome: 'cancelled' };
    const [webhook = found] = await withUrls(this.parts.pool, [found]);
    const body = await this.body(delivery);
    const seconds = Math.floor(clock.now() / 1_000);
    const signed = await this.sign(webhook, delivery.id, seconds, body);
    if ('detail' in signed) return { outcome: 'failed', status: null, isFinal: false, ...signed };
    const headers = {
      'content-type': CLOUD_EVENT_TYPE,
      'user-agent': USER_AGENT,
      'webhook-id': delivery.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signed.signature,
    };
    const posted = await postWebhook(webhook.url, headers, body, { ...this.parts.post, signal });
    return posted.outcome === 'answered'
      ? answered(posted.status)
      : { outcome: 'failed', status: null, detail: posted.detail, isFinal: false };
  }

  private async body(delivery: DeliveryToSend): Promise<string> {
    const { id, accountId, type, receiver, createdAt } = delivery;
    const common = { id, source: this.parts.baseUrl, type, accountId };
    const event = await deliveredEvent(this.parts.pool, delivery);
    return event === undefined
      ? cloudEvent({ ...common, at: createdAt, data: { webhook_id: receiver } })
      : cloudEvent({ ...common, at: event.at, data: notificationData(event) });
  }

  private async sign(
    webhook: Webhook,
    id: string,
    seconds: number,
    body: string,
  ): Promise<{ readonly signature: string } | { readonly detail: string }> {
    const { secrets, clock } = this.parts;
    try {
      const clear = await secrets.read(signingSecrets(webhook, clock.now()));
      if (clear.length === 0) return { detail: 'The webhook was changed meanwhile.' };
      return { signature: signatures(clear, id, seconds, body) };
    } catch (error) {
      if (!(error instanceof OtherKeyError)) throw error;
      const detail = 'The secret was encrypted with another key than this service has; rotate it.';
      return { detail };
    }
  }

  private async mail(delivery: DeliveryToSend): Promise<Outcome> {
    const { mail } = this.parts;
    if (mail === null) return this.withoutMailServer();
    const due = await this.mails.of(delivery);
    if ('isOver' in due) return { outcome: 'cancelled' };
    if ('unsendable' in due) return unsendable(due.unsendable);
    const mailed = await sendMail(mail, due.address, due.mail, delivery.id);
    if (mailed.outcome === 'sent') return { outcome: 'delivered', status: null };
    return { outcome: 'failed', status: null, detail: mailed.detail, isFinal: mailed.isFinal };
  }

  /** Tried again, by the schedule of all: one may be set before it ends. */
  private withoutMailServer(): Outcome {
    this.parts.onNoMailServer();
    const detail = 'No mail server is set (SMTP_URL).';
    return { outcome: 'failed', status: null, detail, isFinal: false };
  }
}

function answered(status: number): Outcome {
  if (status >= 200 && status <= 299) return { outcome: 'delivered', status };
  const isRedirect = status >= 300 && status <= 399;
  const detail = isRedirect ? 'Redirects are not followed.' : `The receiver answered ${status}.`;
  return { outcome: 'failed', status, detail, isFinal: false };
}

function unsendable(detail: string): Outcome {
  return { outcome: 'failed', status: null, detail, isFinal: true };
}

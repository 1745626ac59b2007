import type { Clock } from '#calendar/clock.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { problem, ProblemException } from '#web/problem.js';
import { webhooksOf, type Webhook, type Webhooks } from './webhook.js';

/** Webhooks as the system's stream tells them: every answer holds all that was written before. */
export class WebhookReads {
  private known: { readonly events: number; readonly webhooks: Webhooks } | undefined;

  constructor(
    private readonly system: Pick<SystemStream, 'read'>,
    readonly clock: Clock,
  ) {}

  /** All there ever were, removed ones included, in the order of their creation. */
  async all(): Promise<Webhooks> {
    return this.fold(await this.system.read());
  }

  /** Throws a ProblemException (`not-found`) for one that never was, or was removed. */
  async one(id: string): Promise<Webhook> {
    return activeWebhook(await this.all(), id);
  }

  private fold(events: readonly StoredEvent[]): Webhooks {
    if (this.known?.events !== events.length) {
      this.known = { events: events.length, webhooks: webhooksOf(events) };
    }
    return this.known.webhooks;
  }
}

export function noSuchWebhook(): ProblemException {
  return new ProblemException(problem('not-found', 'There is no such webhook.'));
}

/** Throws a ProblemException (`not-found`) for one that never was, or was removed. */
export function activeWebhook(webhooks: Webhooks, id: string): Webhook {
  const webhook = webhooks.get(id);
  if (webhook === undefined || webhook.removedAt !== null) throw noSuchWebhook();
  return webhook;
}

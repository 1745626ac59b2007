import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { readableValue } from '#projections/texts/readable.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Webhook } from './webhook.js';
import { WEBHOOKS, type Webhooks } from './webhooks.js';

/** Webhooks, read from the system's stream: every answer holds all that was written before. */
export class WebhookReads {
  constructor(
    private readonly system: Pick<SystemStream, 'read'>,
    readonly clock: Clock,
  ) {}

  async all(): Promise<Webhooks> {
    return this.system.read(WEBHOOKS);
  }

  /** Throws a ProblemException (`not-found`) for one that never was, or was removed. */
  async one(id: string): Promise<Webhook> {
    return activeWebhook(await this.all(), id);
  }
}

/** Webhooks with their addresses, encrypted in events; those of erased accounts are blank. */
export async function withUrls(
  pool: pg.Pool,
  webhooks: readonly Webhook[],
): Promise<readonly Webhook[]> {
  const urls = await readableValue(
    pool,
    webhooks.map(({ url }) => url),
  );
  return webhooks.map((webhook, index) => ({ ...webhook, url: urls[index] ?? '' }));
}

export function noSuchWebhook(): ProblemException {
  return new ProblemException(problem('not-found', 'There is no such webhook.'));
}

/** Throws a ProblemException (`not-found`) for one that never was, or was removed. */
export function activeWebhook(webhooks: Webhooks, id: string): Webhook {
  const webhook = webhooks.get(id);
  if (webhook === undefined) throw noSuchWebhook();
  return webhook;
}

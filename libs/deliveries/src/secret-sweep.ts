import { signingSecrets } from './webhook.js';
import type { WebhookReads } from './webhook-reads.js';
import type { WebhookSecrets } from './webhook-secrets.js';

export interface SecretSweepParts {
  readonly webhooks: WebhookReads;
  readonly secrets: Pick<WebhookSecrets, 'keepOnly'>;
  readonly onFault: (error: unknown) => void;
}

const PERIOD_MS = 10 * 60_000;

/**
 * Drops the secrets that sign nothing any more: those whose 24 hours beside their successor are
 * over, and what a process that ended between an event and its rows has left.
 */
export class SecretSweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: SecretSweepParts) {}

  start(): void {
    const look = (): void => {
      this.running = this.sweep().catch(this.parts.onFault);
    };
    this.timer = setInterval(look, PERIOD_MS).unref();
    look();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async sweep(): Promise<void> {
    const { webhooks, secrets } = this.parts;
    const now = webhooks.clock.now();
    const all = [...(await webhooks.all()).all()];
    await secrets.keepOnly(all.flatMap((webhook) => signingSecrets(webhook, now)));
  }
}

import type { StoredEvent } from '#event-log/event-log.js';
import type { Fold } from '#event-log/fold.js';
import {
  WEBHOOK_CREATED,
  WEBHOOK_REMOVED,
  WEBHOOK_SECRET_ROTATED,
  type WebhookCreated,
  type WebhookRemoved,
  type WebhookSecretRotated,
} from './webhook-events.js';
import { withNewSecret, type Webhook } from './webhook.js';

type ById = ReadonlyMap<string, Webhook>;

/** The webhooks of the service, as the system's stream has them. */
export class Webhooks {
  private readonly active = new Map<string, Webhook>();
  /** Null: those of all accounts and of the system. */
  private readonly byAccount = new Map<string | null, Map<string, Webhook>>();
  /** Accounts of those that were removed, by id: their deliveries are still shown. */
  private readonly removed = new Map<string, string | null>();

  /** Those that were not removed, oldest first. */
  all(): Iterable<Webhook> {
    return this.active.values();
  }

  /** One that was not removed. */
  get(id: string): Webhook | undefined {
    return this.active.get(id);
  }

  /** Those of one account alone, or (null) of all accounts, by id, oldest first. */
  of(accountId: string | null): ById {
    return this.byAccount.get(accountId) ?? new Map<string, Webhook>();
  }

  /** The account whose events one receives or received; undefined: there never was one. */
  accountOf(id: string): string | null | undefined {
    const webhook = this.active.get(id);
    return webhook === undefined ? this.removed.get(id) : webhook.accountId;
  }

  takeIn({ type, at, data }: Pick<StoredEvent, 'type' | 'at' | 'data'>): this {
    if (type === WEBHOOK_CREATED) this.put(this.created(JSON.parse(data) as WebhookCreated, at));
    else if (type === WEBHOOK_REMOVED) this.remove(JSON.parse(data) as WebhookRemoved);
    else if (type === WEBHOOK_SECRET_ROTATED)
      this.rotate(JSON.parse(data) as WebhookSecretRotated, at);
    return this;
  }

  private put(webhook: Webhook): void {
    const { id, accountId } = webhook;
    this.active.set(id, webhook);
    const own = this.byAccount.get(accountId) ?? new Map<string, Webhook>();
    this.byAccount.set(accountId, own.set(id, webhook));
  }

  private remove({ webhook_id: id }: WebhookRemoved): void {
    const { accountId } = this.known(id);
    this.active.delete(id);
    this.removed.set(id, accountId);
    const own = this.byAccount.get(accountId);
    own?.delete(id);
    if (own?.size === 0) this.byAccount.delete(accountId);
  }

  private rotate({ webhook_id: id, secret }: WebhookSecretRotated, at: number): void {
    this.put(withNewSecret(this.known(id), secret, at));
  }

  private known(id: string): Webhook {
    const webhook = this.active.get(id);
    if (webhook === undefined) throw new Error(`The system's stream holds no webhook ${id}.`);
    return webhook;
  }

  private created(data: WebhookCreated, at: number): Webhook {
    return {
      id: data.webhook_id,
      number: this.active.size + this.removed.size + 1,
      url: data.url,
      events: data.events,
      accountId: data.account_id,
      secrets: [{ ...data.secret, replacedAt: null }],
      rotatedAt: null,
      profile: data.profile?.id ?? null,
      after: data.after,
      createdAt: at,
    };
  }
}

export const WEBHOOKS: Fold<Webhooks> = {
  initial: () => new Webhooks(),
  evolve: (webhooks, event) => webhooks.takeIn(event),
};

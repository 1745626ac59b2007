import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { AlertView } from '#deliveries/alert-reads.js';
import {
  createWebhookBody,
  webhookOfAccountBody,
  type CreateWebhookBody,
  type WebhookOfAccountBody,
} from '#deliveries/create-webhook.body.js';
import { type Deliveries } from '#deliveries/deliveries.js';
import type { DeliveryView } from '#deliveries/delivery-view.js';
import { noSuchWebhook } from '#deliveries/webhook-reads.js';
import type { WebhookView, WebhookWithSecret } from '#deliveries/webhook-view.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { parseBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import type { DeliveriesQuery } from './webhook.schemas.js';

/** Whose webhooks the caller may see: those of one account; null: all. */
type WebhookOwner = string | null;

/**
 * Webhooks, what was delivered to them, and alerts. For a customer, webhooks of others and of
 * operators are as if they were not there.
 */
export class WebhookService {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly loader: AccountLoader,
  ) {}

  readCreate(body: unknown): CreateWebhookBody {
    return parseBody(createWebhookBody(this.deliveries.allowPrivate), body);
  }

  readCreateOwn(body: unknown): WebhookOfAccountBody {
    return parseBody(webhookOfAccountBody(this.deliveries.allowPrivate), body);
  }

  async create(
    whose: WebhookOwner,
    change: Change,
    body: CreateWebhookBody,
  ): Promise<ChangeResult<WebhookWithSecret>> {
    return this.deliveries.webhooks.create(scoped(whose, change), body);
  }

  /** Oldest first. */
  async list(whose: WebhookOwner, query: PageQuery): Promise<Table<WebhookView>> {
    return this.deliveries.webhookList.page(query, whose ?? undefined);
  }

  async get(whose: WebhookOwner, id: string): Promise<WebhookView> {
    await this.requireOwn(whose, id);
    return this.deliveries.webhookList.one(id);
  }

  async remove(whose: WebhookOwner, id: string, change: Change): Promise<ChangeResult<null>> {
    await this.requireOwn(whose, id);
    return this.deliveries.webhooks.remove(id, scoped(whose, change));
  }

  async rotate(
    whose: WebhookOwner,
    id: string,
    change: Change,
  ): Promise<ChangeResult<WebhookWithSecret>> {
    await this.requireOwn(whose, id);
    return this.deliveries.webhooks.rotate(id, scoped(whose, change));
  }

  async test(whose: WebhookOwner, id: string, change: Change): Promise<ChangeResult<DeliveryView>> {
    await this.requireOwn(whose, id);
    return this.deliveries.attempts.test(id, scoped(whose, change));
  }

  async listDeliveries(
    whose: WebhookOwner,
    id: string,
    { after, status, ...others }: DeliveriesQuery,
  ): Promise<Table<DeliveryView>> {
    await this.requireOwn(whose, id);
    const filter = { after: after ?? null, status: status ?? null, ...others };
    return this.deliveries.webhookList.deliveries(id, filter);
  }

  /** E-mails about an account: alerts, documents, links to sign in with. */
  async emails(
    accountId: string,
    { after, status, ...others }: DeliveriesQuery,
  ): Promise<Table<DeliveryView>> {
    await knownAccount(this.loader, accountId);
    const filter = { after: after ?? null, status: status ?? null, ...others };
    return this.deliveries.reads.mails(accountId, filter);
  }

  async resend(
    whose: WebhookOwner,
    id: string,
    change: Change,
  ): Promise<ChangeResult<DeliveryView>> {
    if (whose !== null) {
      const webhookId = (await this.deliveries.webhookList.delivery(id))?.webhook_id ?? null;
      if (webhookId === null || !(await this.isOwn(whose, webhookId))) throw noSuchDelivery();
    }
    return this.deliveries.attempts.resend(id, scoped(whose, change));
  }

  /** Oldest first; for a customer without deliveries to webhooks of operators. */
  async alerts(
    whose: WebhookOwner,
    accountId: string,
    query: PageQuery,
  ): Promise<Table<AlertView>> {
    await knownAccount(this.loader, accountId);
    const { items, next } = await this.deliveries.alerts.list(accountId, query);
    if (whose === null) return { items, next };
    const receivers = items.flatMap(({ deliveries }) => deliveries.map((one) => one.webhook_id));
    const own = new Set<string | null>([null]);
    for (const id of new Set(receivers)) {
      if (id !== null && (await this.isOwn(whose, id))) own.add(id);
    }
    const shown = items.map((alert) => ({
      ...alert,
      deliveries: alert.deliveries.filter((one) => own.has(one.webhook_id)),
    }));
    return { items: shown, next };
  }

  /** Throws a ProblemException (`not-found`) unless it is, or was, a webhook of theirs. */
  private async requireOwn(whose: WebhookOwner, id: string): Promise<void> {
    if (whose !== null && !(await this.isOwn(whose, id))) throw noSuchWebhook();
  }

  private async isOwn(accountId: string, id: string): Promise<boolean> {
    return (await this.deliveries.webhookList.accountOf(id)) === accountId;
  }
}

/**
 * Idempotency keys of webhooks name one change among those of all accounts. Those of customers
 * stand behind their account's id; no operator's key holds a space.
 */
function scoped(whose: WebhookOwner, change: Change): Change {
  const { idempotencyKey: key } = change;
  return whose === null || key === null ? change : { ...change, idempotencyKey: `${whose} ${key}` };
}

function noSuchDelivery(): ProblemException {
  return new ProblemException(problem('not-found', 'There is no such delivery.'));
}

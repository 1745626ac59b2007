import { Inject, Injectable } from '@nestjs/common';
import type { Page } from '#ledger/account-reads.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Made } from '#deciding/changes/made.js';
import type { Change } from '#deciding/changes/change.js';
import type { AlertView } from '#deliveries/alert-reads.js';
import type { WebhookOfAccountBody } from '#deliveries/create-webhook.body.js';
import { DELIVERIES, type Deliveries } from '#deliveries/deliveries.js';
import type { DeliveryView } from '#deliveries/delivery-view.js';
import { noSuchWebhook } from '#deliveries/webhook-reads.js';
import type { WebhookView, WebhookWithSecret } from '#deliveries/webhook-view.js';

/** The webhooks of one account: what is another's, or an operator's, is as if it were not there. */
@Injectable()
export class AccountWebhooks {
  constructor(@Inject(DELIVERIES) readonly deliveries: Deliveries) {}

  page(accountId: string, after: string | null, limit: number): Promise<Page<WebhookView>> {
    return this.deliveries.webhookList.page(after, limit, accountId);
  }

  /** Alerts with what was told to the account's own webhooks and addresses: no operator's. */
  async alerts(accountId: string, after: string | null, limit: number): Promise<Page<AlertView>> {
    const { items, next } = await this.deliveries.alerts.list(accountId, after, limit);
    const told = items.flatMap(({ deliveries }) => deliveries.map((one) => one.webhook_id));
    const own = new Set<string | null>([null]);
    for (const id of new Set(told)) {
      if (id !== null && (await this.isOwn(accountId, id))) own.add(id);
    }
    const shown = items.map((alert) => ({
      ...alert,
      deliveries: alert.deliveries.filter((one) => own.has(one.webhook_id)),
    }));
    return { items: shown, next };
  }

  /** Throws a ProblemException (`not-found`) unless it is, or was, the account's. */
  async requireOwn(accountId: string, id: string): Promise<void> {
    if (!(await this.isOwn(accountId, id))) throw noSuchWebhook();
  }

  async create(
    accountId: string,
    change: Change,
    body: WebhookOfAccountBody,
  ): Promise<Made<WebhookWithSecret>> {
    const scoped = scopedChange(accountId, change);
    return this.deliveries.webhooks.create(scoped, { ...body, account_id: accountId });
  }

  /** Throws a ProblemException (`not-found`) for a delivery to anybody else. */
  async resend(accountId: string, id: string, change: Change): Promise<Made<DeliveryView>> {
    const delivery = await this.deliveries.webhookList.delivery(id);
    const webhookId = delivery?.webhook_id ?? null;
    if (webhookId === null || !(await this.isOwn(accountId, webhookId))) throw noDelivery();
    return this.deliveries.attempts.resend(id, scopedChange(accountId, change));
  }

  private async isOwn(accountId: string, webhookId: string): Promise<boolean> {
    return (await this.deliveries.webhookList.accountOf(webhookId)) === accountId;
  }
}

/**
 * Idempotency keys of webhooks name one change among those of all accounts. Those of customers stand
 * behind their account's id; no operator's key holds a space.
 */
export function scopedChange(accountId: string, change: Change): Change {
  const { idempotencyKey: key } = change;
  return key === null ? change : { ...change, idempotencyKey: `${accountId} ${key}` };
}

function noDelivery(): ProblemException {
  return new ProblemException(problem('not-found', 'There is no such delivery.'));
}

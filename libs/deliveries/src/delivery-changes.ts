import { NOTHING } from '#event-log/fold.js';
import type { TextKeys } from '#projections/texts/text-keys.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import { problem, ProblemException } from '#web/problem.js';
import { isMailServer } from './delivery-id.js';
import type { DeliveryQueue } from './delivery-queue.js';
import type { DeliveryReads } from './delivery-reads.js';
import { TEST_TYPE, type DeliverySender } from './delivery-sender.js';
import type { DeliveryView } from './delivery-view.js';
import type { Delivery, NewDelivery } from './delivery.js';
import type {
  WithoutOrigin,
  SystemChange,
  SystemChanges,
} from '#deciding/changes/system-changes.js';
import { withEncryptedReason } from './encrypted-texts.js';
import {
  DELIVERY_RESENT,
  WEBHOOK_TESTED,
  type DeliveryResent,
  type WebhookTested,
} from './webhook-events.js';
import { WEBHOOK_SCOPE } from './webhook-changes.js';
import { activeWebhook, type WebhookReads } from './webhook-reads.js';
import type { Webhook } from './webhook.js';
import { WEBHOOKS } from './webhooks.js';

export interface DeliveryChangesParts {
  readonly system: SystemChanges;
  readonly webhooks: WebhookReads;
  readonly reads: DeliveryReads;
  readonly queue: DeliveryQueue;
  readonly sender: DeliverySender;
  /** Cuts attempts short: the service stops. */
  readonly signal: AbortSignal;
  readonly texts: TextKeys;
}

/** Attempts that operators ask for: answered with their outcome. */
export class DeliveryChanges {
  constructor(private readonly parts: DeliveryChangesParts) {}

  /** Sends a `webhook.test`, whose id is its command's, once. */
  async test(webhookId: string, change: Change): Promise<ChangeResult<DeliveryView>> {
    const accountId = (await this.parts.webhooks.all()).accountOf(webhookId) ?? null;
    const made = await this.changeOf(accountId, change);
    const { id } = made;
    const { event, value, replayed } = await made.append(WEBHOOKS, (webhooks) => {
      activeWebhook(webhooks, webhookId);
      const data: WithoutOrigin<WebhookTested> = { webhook_id: webhookId };
      return { type: WEBHOOK_TESTED, data };
    });
    const sent = replayed ? await this.parts.reads.one(id) : undefined;
    if (sent !== undefined) return { view: sent, replayed };
    const webhook = activeWebhook(value, webhookId);
    return { view: await this.sendTest(id, webhook, event?.at ?? 0), replayed };
  }

  /** Attempts a delivery once more, beside its schedule. */
  async resend(deliveryId: string, change: Change): Promise<ChangeResult<DeliveryView>> {
    const { reads } = this.parts;
    const delivery = await reads.find(deliveryId);
    if (delivery === undefined) throw noSuchDelivery();
    await this.refuseRemoved(delivery);
    const made = await this.changeOf(delivery.accountId, change);
    const data: WithoutOrigin<DeliveryResent> = { delivery_id: deliveryId };
    const { replayed } = await made.append(NOTHING, () => ({ type: DELIVERY_RESENT, data }));
    if (!(await reads.hasAttempt(made.id))) await this.attemptOnce(made.id, deliveryId);
    return { view: await this.show(deliveryId), replayed };
  }

  private async changeOf(accountId: string | null, change: Change): Promise<SystemChange> {
    const { system, texts } = this.parts;
    return system.of(WEBHOOK_SCOPE, await withEncryptedReason(texts, accountId, change));
  }

  private async sendTest(id: string, webhook: Webhook, at: number): Promise<DeliveryView> {
    const { sender, queue, signal } = this.parts;
    const delivery: NewDelivery = {
      id,
      receiver: webhook.id,
      accountId: webhook.accountId,
      lane: null,
      position: null,
      type: TEST_TYPE,
      profileId: null,
      ordinal: null,
    };
    const tried = await sender.attempt(id, { ...delivery, createdAt: at }, signal);
    await queue.keepTest(delivery, at, tried);
    return this.show(id);
  }

  private async attemptOnce(id: string, deliveryId: string): Promise<void> {
    const { sender, queue, signal } = this.parts;
    const claimed = await queue.claimOne(deliveryId);
    if (claimed === undefined)
      throw conflict('It is being sent right now: read its outcome in a few seconds.');
    const tried = await sender.attempt(id, claimed, signal);
    await queue.record(claimed, tried, false);
  }

  private async refuseRemoved({ receiver }: Delivery): Promise<void> {
    if (isMailServer(receiver)) return;
    const webhooks = await this.parts.webhooks.all();
    if (webhooks.get(receiver) === undefined)
      throw conflict('Its webhook was removed: nothing is sent to it any more.');
  }

  private async show(id: string): Promise<DeliveryView> {
    const view = await this.parts.reads.one(id);
    if (view === undefined) throw new Error(`Delivery ${id} was not kept.`);
    return view;
  }
}

function noSuchDelivery(): ProblemException {
  return new ProblemException(problem('not-found', 'There is no such delivery.'));
}

function conflict(detail: string): ProblemException {
  return new ProblemException(problem('conflict', detail));
}

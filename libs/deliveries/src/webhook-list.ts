import type pg from 'pg';
import type { Page } from '#projections/views/account-reads.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import type { PageQuery } from '#web/query.js';
import { findProfiles } from '#projections/texts/profiles.js';
import type { DeliveryFilter, DeliveryReads } from './delivery-reads.js';
import type { DeliveryView } from './delivery-view.js';
import { noSuchWebhook, withUrls, type WebhookReads } from './webhook-reads.js';
import { webhookView, type WebhookView } from './webhook-view.js';
import type { Webhook } from './webhook.js';

/** Webhooks as operators see them. */
export class WebhookList {
  constructor(
    private readonly pool: pg.Pool,
    private readonly webhooks: WebhookReads,
    private readonly reads: DeliveryReads,
  ) {}

  /** Those that were not removed, oldest first; of one account alone. Throws BadCursorError. */
  async page(query: PageQuery, accountId?: string): Promise<Page<WebhookView>> {
    const { after, limit, order } = query;
    const place = after === undefined ? null : decodeNumberCursor(after);
    const webhooks = await this.webhooks.all();
    const own = accountId === undefined ? webhooks.all() : webhooks.of(accountId).values();
    // Numbers of removed ones are not given again, so that a cursor stays good.
    const all = order === 'asc' ? [...own] : [...own].toReversed();
    const isLeft = (number: number): boolean =>
      place === null || (order === 'asc' ? number > place : number < place);
    const left = all.filter(({ number }) => isLeft(number));
    const shown = left.slice(0, limit);
    const last = left.length > limit ? shown.at(-1) : undefined;
    return {
      items: await this.show(shown),
      next: last === undefined ? null : encodeCursor(last.number),
    };
  }

  /** Throws a ProblemException (`not-found`). */
  async one(id: string): Promise<WebhookView> {
    const [view] = await this.show([await this.webhooks.one(id)]);
    if (view === undefined) throw noSuchWebhook();
    return view;
  }

  /**
   * Deliveries planned for one, also after its removal. Throws a ProblemException, BadCursorError.
   */
  async deliveries(id: string, filter: DeliveryFilter): Promise<Page<DeliveryView>> {
    if ((await this.accountOf(id)) === undefined) throw noSuchWebhook();
    return this.reads.list(id, filter);
  }

  /**
   * The account whose events one receives (null: all); undefined: there never was such a webhook.
   */
  async accountOf(id: string): Promise<string | null | undefined> {
    return (await this.webhooks.all()).accountOf(id);
  }

  /** A delivery as it stands; undefined: there is none. */
  async delivery(id: string): Promise<DeliveryView | undefined> {
    return this.reads.one(id);
  }

  private async show(webhooks: readonly Webhook[]): Promise<WebhookView[]> {
    const described = webhooks.flatMap(({ profile }) => (profile === null ? [] : [profile]));
    const profiles = await findProfiles(this.pool, described);
    const now = this.webhooks.clock.now();
    return (await withUrls(this.pool, webhooks)).map((webhook) =>
      webhookView(webhook, profiles.get(webhook.profile ?? '')?.note ?? null, now),
    );
  }
}

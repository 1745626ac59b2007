import type pg from 'pg';
import { withTransaction } from '#database/database.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import type { NotificationType } from '#projections/projections/notification-types.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { MAIL_TYPES } from './alert-mail.js';
import { documentMailId, MAIL_SERVER, mailDeliveryId, webhookDeliveryId } from './delivery-id.js';
import { isOfDocument } from './document-mails.js';
import { isOfOrder } from './order-mails.js';
import type { NewDelivery } from './delivery.js';
import type { WebhookReads } from './webhook-reads.js';
import { accountOf, wants, type Notification } from './webhook.js';
import type { Webhooks } from './webhooks.js';
import { queryAnswering, queryAnsweringAtOnce } from '#event-log/query-answering.js';

/** A notification that nobody has planned deliveries of; the budget is that of its e-mails. */
interface Unplanned extends Notification {
  readonly budgetId: string | null;
}

const NOTIFICATIONS_MAX = 500;

/**
 * Plans the deliveries of the log's notifications. Any number of processes may: a delivery's id
 * follows from its event and receiver, so it is planned once, and a notification is passed only
 * when its deliveries are there.
 */
export class FanOut {
  constructor(
    private readonly pool: pg.Pool,
    private readonly webhooks: WebhookReads,
    private readonly loader: Pick<AccountLoader, 'loadCores'>,
    /** Whether documents go to the billing addresses: there is a mail server. */
    private readonly mailsDocuments: boolean,
  ) {}

  /** Plans at most a few hundred notifications; answers how many. */
  async run(): Promise<number> {
    await this.goBack();
    const unplanned = await this.read();
    if (unplanned.length === 0) return 0;
    // Read after the notifications: whatever webhook was there before an event is known by now.
    const webhooks = await this.webhooks.all();
    const deliveries = [
      ...toWebhooks(unplanned, webhooks),
      ...(await this.toAddresses(unplanned)),
      ...(this.mailsDocuments ? toBillingAddresses(unplanned) : []),
    ];
    await withTransaction(this.pool, async (client) => {
      await insert(client, deliveries);
      await pass(client, unplanned);
    });
    return unplanned.length;
  }

  /** Where the log came back older, other events come to the places that were passed. */
  private async goBack(): Promise<void> {
    const { rows } = await queryAnsweringAtOnce<{ lane: number }>(this.pool, {
      name: 'fan-out-beyond',
      text: `select c.lane from delivery_cursor c join lane l on l.lane = c.lane
              where c.position > l.position`,
    });
    for (const { lane } of rows) await withTransaction(this.pool, (client) => goBack(client, lane));
  }

  private async read(): Promise<Unplanned[]> {
    const { rows } = await queryAnswering<{
      lane: number;
      position: number;
      account_id: string;
      type: NotificationType;
      budget_id: string | null;
    }>(this.pool, {
      name: 'fan-out-read',
      // Cut off before the events are looked up: of a hundred thousand that wait, few are read.
      text: `select n.lane, n.position, n.account_id, n.type, e.data ->> 'budget_id' as budget_id
               from (select n.*
                       from lane l
                       left join delivery_cursor c on c.lane = l.lane
                      cross join lateral (
                        select * from notification
                         where lane = l.lane
                           and position > coalesce(c.position, 0)
                         order by position limit $1) n
                      order by l.lane, n.position limit $1) n
               left join event e on e.lane = n.lane and e.position = n.position
                                and n.type = any ($2)
              order by n.lane, n.position`,
      values: [NOTIFICATIONS_MAX, MAIL_TYPES],
    });
    const first = rows.toSorted((a, b) => a.lane - b.lane || a.position - b.position);
    return first
      .slice(0, NOTIFICATIONS_MAX)
      .map(({ lane, position, account_id, type, budget_id }) => ({
        lane,
        position,
        accountId: account_id,
        type,
        budgetId: budget_id,
      }));
  }

  /** The addresses that the budgets name now, one delivery each. */
  private async toAddresses(unplanned: readonly Unplanned[]): Promise<NewDelivery[]> {
    const alerts = unplanned.filter(({ budgetId }) => budgetId !== null);
    if (alerts.length === 0) return [];
    const accounts = [...new Set(alerts.map(({ accountId }) => accountId))];
    const loaded = await this.loader.loadCores(accounts);
    const named = alerts.flatMap((alert) => {
      if (loaded.damaged?.has(alert.accountId)) return [];
      const { budgets = [] } = loaded.accounts.get(alert.accountId)?.state ?? {};
      const profileId = budgets.find(({ id }) => id === alert.budgetId)?.notify ?? null;
      return profileId === null ? [] : [{ alert, profileId }];
    });
    const profiles = await findProfiles(
      this.pool,
      named.map(({ profileId }) => profileId),
    );
    return named.flatMap(({ alert, profileId }) =>
      (profiles.get(profileId)?.emails ?? []).map((_address, index) =>
        toAddress(alert, profileId, index + 1),
      ),
    );
  }
}

function toWebhooks(notifications: readonly Notification[], webhooks: Webhooks): NewDelivery[] {
  return notifications.flatMap((notification) =>
    [...webhooks.of(null).values(), ...webhooks.of(notification.accountId).values()]
      .filter((webhook) => wants(webhook, notification))
      .map(({ id }) => ({
        ...placeOf(notification),
        id: webhookDeliveryId(notification.lane, notification.position, id),
        receiver: id,
        profileId: null,
        ordinal: null,
      })),
  );
}

/** One for each document and order; the address is looked up as it is sent. */
function toBillingAddresses(notifications: readonly Notification[]): NewDelivery[] {
  return notifications
    .filter(({ type }) => isOfDocument(type) || isOfOrder(type))
    .map((notification) => ({
      ...placeOf(notification),
      id: documentMailId(notification.lane, notification.position),
      receiver: MAIL_SERVER,
      profileId: null,
      ordinal: null,
    }));
}

/** `ordinal`: 1, 2, 3, … in the list of the row. The address itself stands in that row alone. */
function toAddress(alert: Notification, profileId: string, ordinal: number): NewDelivery {
  const id = mailDeliveryId(alert.lane, alert.position, profileId, ordinal);
  return { ...placeOf(alert), id, receiver: MAIL_SERVER, profileId, ordinal };
}

function placeOf(notification: Notification) {
  const { lane, position, type } = notification;
  return { lane, position, type, accountId: accountOf(notification) };
}

async function goBack(client: pg.ClientBase, lane: number): Promise<void> {
  const { rows } = await client.query<{ position: number }>(
    `update delivery_cursor c set position = l.position from lane l
      where l.lane = $1 and c.lane = $1 and c.position > l.position returning c.position`,
    [lane],
  );
  for (const { position } of rows) {
    await client.query(
      `with gone as (delete from delivery where lane = $1 and position > $2 returning id)
       delete from delivery_attempt a using gone where a.delivery_id = gone.id`,
      [lane, position],
    );
  }
}

async function insert(client: pg.ClientBase, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await client.query({
    name: 'fan-out-insert',
    text: `insert into delivery
             (id, receiver, account_id, lane, position, type, profile_id, ordinal, status, next_at)
           select *, 'pending', now() from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[],
             $5::bigint[], $6::text[], $7::uuid[], $8::smallint[])
           on conflict (id) do nothing`,
    values: [
      deliveries.map(({ id }) => id),
      deliveries.map(({ receiver }) => receiver),
      deliveries.map(({ accountId }) => accountId),
      deliveries.map(({ lane }) => lane),
      deliveries.map(({ position }) => position),
      deliveries.map(({ type }) => type),
      deliveries.map(({ profileId }) => profileId),
      deliveries.map(({ ordinal }) => ordinal),
    ],
  });
}

/** Another process may have come further meanwhile. */
async function pass(client: pg.ClientBase, notifications: readonly Notification[]): Promise<void> {
  const last = new Map(notifications.map(({ lane, position }) => [lane, position]));
  await client.query({
    name: 'fan-out-pass',
    text: `insert into delivery_cursor as c (lane, position)
           select * from unnest($1::smallint[], $2::bigint[]) as n (lane, position) order by lane
           on conflict (lane) do update set position = greatest(c.position, excluded.position)`,
    values: [[...last.keys()], [...last.values()]],
  });
}

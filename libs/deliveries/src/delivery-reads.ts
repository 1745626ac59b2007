import type pg from 'pg';
import { BadCursorError } from '#web/read-errors.js';
import { type Page } from '#projections/views/account-reads.js';
import { comparisonFor } from '#projections/views/pages.js';
import { decodeCursor, encodeCursor } from '#web/cursor.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { isUuid } from '#web/uuid.js';
import {
  ATTEMPT_COLUMNS,
  DELIVERY_COLUMNS,
  toAttempt,
  toDelivery,
  type AttemptRow,
  type DeliveryRow,
} from './delivery-row.js';
import { deliveryView, type DeliveryView } from './delivery-view.js';
import type { BillingAddresses } from './billing-addresses.js';
import { isMailServer, MAIL_SERVER, URGENT_MAIL } from './delivery-id.js';
import { isOfDocument } from './document-mails.js';
import type { Attempt, Delivery, DeliveryStatus } from './delivery.js';
import { SIGN_IN_LINK } from './sign-in-links.js';

export interface DeliveryFilter {
  readonly after: string | null;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly status: DeliveryStatus | null;
}

/** Deliveries and what was tried of each. */
export class DeliveryReads {
  constructor(
    private readonly pool: pg.Pool,
    private readonly billing: Pick<BillingAddresses, 'of'>,
  ) {}

  /** Those of one webhook, as they were planned. Throws BadCursorError. */
  list(webhookId: string, filter: DeliveryFilter): Promise<Page<DeliveryView>> {
    return this.page('d.receiver = $1', webhookId, filter);
  }

  /** E-mails about one account, as they were planned. Throws BadCursorError. */
  mails(accountId: string, filter: DeliveryFilter): Promise<Page<DeliveryView>> {
    const isMail = `d.receiver in ('${MAIL_SERVER}', '${URGENT_MAIL}')`;
    return this.page(`d.account_id = $1 and ${isMail}`, accountId, filter);
  }

  private async page(
    where: string,
    of: string,
    filter: DeliveryFilter,
  ): Promise<Page<DeliveryView>> {
    const { after, limit, order, status } = filter;
    const [micros, id] = after === null ? [null, null] : decodePlace(after);
    const { rows } = await this.pool.query<DeliveryRow & { micros: string }>(
      `select ${DELIVERY_COLUMNS}, (extract(epoch from d.created_at) * 1000000)::int8::text as micros
         from delivery d
        where ${where} and ($2::text is null or d.status = $2)
          and ($3::int8 is null or (d.created_at, d.id) ${comparisonFor(order)}
               (timestamptz 'epoch' + $3::int8 * interval '1 microsecond', $4::uuid))
        order by d.created_at ${order}, d.id ${order} limit $5`,
      [of, status, micros, id, limit + 1],
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      items: await this.show(shown.map(toDelivery)),
      next: last === undefined ? null : encodeCursor(`${last.micros} ${last.id}`),
    };
  }

  async find(id: string): Promise<Delivery | undefined> {
    const { rows } = await this.pool.query<DeliveryRow>({
      name: 'delivery-find',
      text: `select ${DELIVERY_COLUMNS} from delivery d where d.id = $1`,
      values: [id],
    });
    return rows.map(toDelivery)[0];
  }

  /** One as it stands; undefined: there is none. */
  async one(id: string): Promise<DeliveryView | undefined> {
    const delivery = await this.find(id);
    return delivery && (await this.show([delivery]))[0];
  }

  /** Whether an attempt was made under this id. */
  async hasAttempt(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from delivery_attempt where id = $1', [id]);
    return rowCount === 1;
  }

  /** Deliveries of these events of one lane, by position. */
  async ofEvents(
    lane: number,
    positions: readonly number[],
  ): Promise<ReadonlyMap<number, readonly DeliveryView[]>> {
    const { rows } = await this.pool.query<DeliveryRow>({
      name: 'deliveries-of-events',
      text: `select ${DELIVERY_COLUMNS} from delivery d
              where d.lane = $1 and d.position = any ($2::int8[])
              order by d.created_at, d.receiver, d.ordinal`,
      values: [lane, positions],
    });
    const deliveries = rows.map(toDelivery);
    const views = await this.show(deliveries);
    const byPosition = new Map<number, DeliveryView[]>(positions.map((at) => [at, []]));
    deliveries.forEach(({ position }, index) => {
      const view = views[index];
      if (view !== undefined) byPosition.get(position ?? 0)?.push(view);
    });
    return byPosition;
  }

  private async show(deliveries: readonly Delivery[]): Promise<DeliveryView[]> {
    const attempts = await this.attempts(deliveries.map(({ id }) => id));
    const emails = await this.emails(deliveries);
    const numbers = await this.numbers(deliveries);
    return deliveries.map((delivery) => {
      const { id } = delivery;
      const named = { email: emails.get(id) ?? null, number: numbers.get(id) ?? null };
      return deliveryView(delivery, attempts.get(id) ?? [], named);
    });
  }

  /** Addresses by delivery, from wherever they stand. */
  private async emails(deliveries: readonly Delivery[]): Promise<ReadonlyMap<string, string>> {
    const named = deliveries.flatMap(({ profileId }) => (profileId === null ? [] : [profileId]));
    const profiles = named.length === 0 ? new Map() : await findProfiles(this.pool, named);
    const documents = deliveries.filter(isDocumentMail);
    const buyers = await this.billing.of(documents.flatMap(({ accountId }) => accountId ?? []));
    const emails = await this.linkAddresses(deliveries);
    for (const { id, accountId } of documents) {
      const buyer = buyers.get(accountId ?? '');
      if (buyer !== undefined) emails.set(id, buyer.email);
    }
    for (const { id, profileId, ordinal } of deliveries) {
      const email = profiles.get(profileId ?? '')?.emails?.[(ordinal ?? 0) - 1];
      if (email !== undefined) emails.set(id, email);
    }
    return emails;
  }

  /** Numbers of the documents that e-mails are about, by delivery. */
  private async numbers(deliveries: readonly Delivery[]): Promise<ReadonlyMap<string, string>> {
    const documents = deliveries.filter(isDocumentMail);
    if (documents.length === 0) return new Map();
    const { rows } = await this.pool.query<{ id: string; number: string }>(
      `select d.id, e.data ->> 'number' as number
         from delivery d join event e using (lane, position) where d.id = any ($1::uuid[])`,
      [documents.map(({ id }) => id)],
    );
    return new Map(rows.map(({ id, number }) => [id, number]));
  }

  /** Of links to sign in with: the addresses of their members, by delivery. */
  private async linkAddresses(deliveries: readonly Delivery[]) {
    const links = deliveries.filter(({ type }) => type === SIGN_IN_LINK).map(({ id }) => id);
    if (links.length === 0) return new Map<string, string>();
    const { rows } = await this.pool.query<{ id: string; email: string }>(
      `select l.id, m.email from sign_in_link l join account_member m on m.id = l.member_id
        where l.id = any ($1::uuid[])`,
      [links],
    );
    return new Map(rows.map(({ id, email }) => [id, email]));
  }

  private async attempts(ids: readonly string[]): Promise<ReadonlyMap<string, Attempt[]>> {
    const { rows } = await this.pool.query<AttemptRow>({
      name: 'delivery-attempts',
      text: `select ${ATTEMPT_COLUMNS} from delivery_attempt a
              where a.delivery_id = any ($1::uuid[]) order by a.delivery_id, a.at, a.id`,
      values: [ids],
    });
    const byDelivery = new Map<string, Attempt[]>(ids.map((id) => [id, []]));
    for (const row of rows) byDelivery.get(row.delivery_id)?.push(toAttempt(row));
    return byDelivery;
  }
}

function isDocumentMail({ receiver, type }: Delivery): boolean {
  return isMailServer(receiver) && isOfDocument(type);
}

/** A cursor names the last delivery shown: when it was planned, in microseconds, and its id. */
function decodePlace(cursor: string): [micros: string, id: string] {
  const [micros = '', id = ''] = decodeCursor(cursor).split(' ');
  if (!/^\d{1,18}$/.test(micros) || !isUuid(id)) throw new BadCursorError(cursor);
  return [micros, id];
}

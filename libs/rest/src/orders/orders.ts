import type pg from 'pg';
import type { TopUpOrdered } from '#account/orders.js';
import { formatMoment } from '#calendar/instant.js';
import type { AskedCommand } from '#deciding/changes/account-change.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';
import type { SystemStream } from '#event-log/system-stream.js';
import type { CreditPackage } from '#invoice-rules/invoice.js';
import { formatAmount } from '#invoice-rules/money.js';
import { purchaseInvoiceIdOf } from '#projections/events/document-ids.js';
import { readChanges, type PlacedEvent } from '#projections/events/month-events.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import { readSeller } from '#projections/invoices/seller-row.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { withAccountNames } from '#projections/reads/account-names.js';
import { found, problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import type { Outcome } from '../operation/operation.js';
import { pageBy } from '../operation/queries.js';
import type { Order, OrderTopUp } from './order.schemas.js';

export interface OrdersParts {
  readonly changes: AccountChanges;
  readonly loader: AccountLoader;
  readonly pool: pg.Pool;
  readonly system: Pick<SystemStream, 'read'>;
}

const TYPES = ['TopUpOrdered', 'TopUpDeclined', 'TopUpCancelled', 'CreditsGranted'] as const;

/** Orders of credits: made, ended and read, from the log itself. */
export class Orders {
  constructor(private readonly parts: OrdersParts) {}

  /** Returns the open order where there is one. Throws a ProblemException (`conflict`). */
  async order(accountId: string, change: Change, body: OrderTopUp): Promise<Outcome<Order>> {
    const { changes, loader, pool, system } = this.parts;
    const { currency } = await knownAccount(loader, accountId);
    const { packages = [], orders } = await readSeller(pool, system);
    const made = changes.of(accountId, change);
    const offered = packages.find((one) => one.name === body.package && one.currency === currency);
    refuseOther(orders, offered, body, currency);
    const { event, replayed } = await made.submit({
      command: 'order-top-up',
      orderId: made.id,
      ...body,
      currency,
      isAtOnce: orders === 'at-once',
    });
    const all = await this.ofAccount(accountId);
    const id = event === null ? null : (event.data as TopUpOrdered).order_id;
    const view = all.findLast((one) => (id === null ? one.status === 'open' : one.id === id));
    return { view: found(view, 'order'), replayed };
  }

  accept(accountId: string, orderId: string, change: Change): Promise<Outcome<Order>> {
    return this.end(accountId, orderId, change, { command: 'accept-top-up', orderId });
  }

  decline(accountId: string, orderId: string, change: Change): Promise<Outcome<Order>> {
    return this.end(accountId, orderId, change, { command: 'decline-top-up', orderId });
  }

  cancel(accountId: string, orderId: string, change: Change): Promise<Outcome<Order>> {
    return this.end(accountId, orderId, change, { command: 'cancel-top-up', orderId });
  }

  private async end(
    accountId: string,
    orderId: string,
    change: Change,
    command: AskedCommand,
  ): Promise<Outcome<Order>> {
    await this.one(accountId, orderId);
    const { replayed } = await this.parts.changes.of(accountId, change).submit(command);
    return { view: await this.one(accountId, orderId), replayed };
  }

  /** Oldest first. Throws BadCursorError. */
  async list(accountId: string, query: PageQuery): Promise<Table<Order>> {
    const page = pageBy(query);
    await knownAccount(this.parts.loader, accountId);
    return page(await this.ofAccount(accountId));
  }

  /** Open ones of all accounts, the oldest first. `test`: of these alone. */
  async listOpen(test: boolean | undefined, query: PageQuery): Promise<Table<Order>> {
    const { pool } = this.parts;
    const page = pageBy(query);
    const rows = await queryAllLanes<{ readonly id: string }>(pool, {
      name: 'open-orders',
      text: `select account_id as id from ledger_account
              where state -> 'order' is not null
                and ($1::boolean is null or (state ->> 'test')::boolean = $1)`,
      values: [test ?? null],
    });
    const orders = await this.read(rows.map(({ id }) => id));
    const open = orders.filter(({ status }) => status === 'open');
    const oldest = open.toSorted((one, other) => (one.ordered_at < other.ordered_at ? -1 : 1));
    return page(await withAccountNames(pool, oldest));
  }

  private async one(accountId: string, orderId: string): Promise<Order> {
    const all = await this.ofAccount(accountId);
    return found(
      all.find(({ id }) => id === orderId),
      'order',
    );
  }

  private ofAccount(accountId: string): Promise<readonly Order[]> {
    return this.read([accountId]);
  }

  private async read(accountIds: readonly string[]): Promise<readonly Order[]> {
    const { pool } = this.parts;
    const all = { first: 1, last: Number.MAX_SAFE_INTEGER };
    const ranges = accountIds.map((accountId) => ({ accountId, ...all }));
    const events = await readChanges(pool, ranges, TYPES);
    const orders = [...events].flatMap(([id, own]) => ordersIn(id, own));
    return this.withInvoices(await this.withPeople(orders));
  }

  /** Who has ordered: a member of the account where a member's session did. */
  private async withPeople(orders: readonly Order[]): Promise<readonly Order[]> {
    if (orders.length === 0) return orders;
    const { rows } = await this.parts.pool.query<{ session: string; email: string }>({
      name: 'order-people',
      text: `select s.id as session, m.email from portal_session s
               join account_member m on m.id = s.member_id
              where s.id::text = any ($1)`,
      values: [orders.map(({ ordered_by: by }) => by)],
    });
    const emails = new Map(rows.map(({ session, email }) => [session, email]));
    return orders.map((one) => ({
      ...one,
      ordered_by: emails.get(one.ordered_by) ?? one.ordered_by,
    }));
  }

  private async withInvoices(orders: readonly Order[]): Promise<readonly Order[]> {
    const ids = orders.flatMap(({ invoice_id: id }) => (id === null ? [] : [id]));
    const issued = await findNumbersOf(this.parts.pool, ids);
    const numbers = new Map(issued.map(({ data }) => [data.id, data.number]));
    return orders.map((one) => ({
      ...one,
      invoice_number: numbers.get(one.invoice_id ?? '') ?? null,
    }));
  }
}

/** Throws a ProblemException (`conflict`) unless the package is offered as it was shown. */
function refuseOther(
  orders: 'approve' | 'at-once' | undefined,
  offered: CreditPackage | undefined,
  { package: name, credits, price }: OrderTopUp,
  currency: string,
): void {
  const refuse = (detail: string): never => {
    throw new ProblemException(problem('conflict', detail));
  };
  if (orders === undefined) refuse('No orders are taken: ask the provider for credits.');
  if (offered === undefined) return refuse(`No package “${name}” is offered in ${currency}.`);
  if (offered.credits === credits && offered.price === price) return;
  const amount = `${currency} ${formatAmount(offered.price, currency)}`;
  refuse(
    `“${name}” is ${offered.credits} credits for ${amount} now, before tax: order it as it is.`,
  );
}

/** `events`: of one account, in their order. */
function ordersIn(accountId: string, events: readonly PlacedEvent[]): readonly Order[] {
  const orders = new Map<string, Order>();
  for (const { event } of events) {
    const at = formatMoment(event.at);
    if (event.type === 'TopUpOrdered') {
      const { order_id: id, package: name, credits, price, currency, by } = event.data;
      const ordered = { id, account_id: accountId, package: name, credits, price, currency };
      const said = { status: 'open', ordered_at: at, ordered_by: by } as const;
      const end = { ended_at: null, reason: null, invoice_id: null, invoice_number: null };
      orders.set(id, { ...ordered, ...said, ...end });
    } else if (event.type === 'CreditsGranted') {
      const { grant_id: id, invoiced } = event.data;
      const order = orders.get(id);
      const invoiceId = invoiced === undefined ? null : purchaseInvoiceIdOf(accountId, id);
      const accepted = { status: 'accepted', ended_at: at, invoice_id: invoiceId } as const;
      if (order !== undefined) orders.set(id, { ...order, ...accepted });
    } else if (event.type === 'TopUpDeclined' || event.type === 'TopUpCancelled') {
      const { order_id: id, reason = null } = event.data;
      const status = event.type === 'TopUpDeclined' ? 'declined' : 'cancelled';
      const order = orders.get(id);
      if (order === undefined) throw new Error('An order ended before it was made.');
      orders.set(id, { ...order, status, ended_at: at, reason: reason || null });
    }
  }
  return [...orders.values()];
}

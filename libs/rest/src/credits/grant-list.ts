import type pg from 'pg';
import type { CreditsAdjusted } from '#account/adjustments.js';
import { type GrantVoided, refundOf } from '#account/credits.js';
import type { AccountEvent } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import { forfeitedBy } from '#invoice-rules/purchased-grants.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatMoment } from '#calendar/instant.js';
import { withTransaction } from '#database/database.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { findBilledPurchase, type BilledPurchase } from '#invoicing/purchase-invoice.js';
import { purchaseInvoiceIdOf } from '#projections/events/document-ids.js';
import { readChanges } from '#projections/events/month-events.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import { loadAccounts } from '#projections/loading/account-loader.js';
import { present } from '#projections/reads/account-view.js';
import { readEvent } from '#projections/snapshots/account-tail.js';
import { readable } from '#projections/texts/readable.js';
import { comparisonFor } from '#projections/views/pages.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import type { Order, PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import { findProfiles } from '#projections/texts/profiles.js';
import type { GrantDetails } from './credit.schemas.js';
import { givenGrant, NO_INVOICE, type OwnInvoice } from './grant-view.js';

/** Where credits given by adjustments stand in the order of drawing: as the account keeps them. */
const ADJUSTMENT_PRIORITY = 100;

/** Every grant an account ever had, oldest first: the log says which, the state what is left. */
export class GrantList {
  constructor(
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** Whether an account was ever given a grant of that id. */
  async has(accountId: string, grantId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'grant-given',
      text: `select from event where lane = $1 and account_id = $2
                and type in ('CreditsGranted', 'Adjusted') and data ->> 'grant_id' = $3 limit 1`,
      values: [laneOf(accountId), accountId, grantId],
    });
    return rowCount === 1;
  }

  /** The line of an issued invoice that bills a grant; undefined: none does. */
  billed(accountId: string, grantId: string): Promise<BilledPurchase | undefined> {
    return findBilledPurchase(this.pool, accountId, grantId);
  }

  /** Net, in minor units: what a void of a grant left forfeited. */
  async forfeitedBy(accountId: string, voided: GrantVoided): Promise<number> {
    const all = { accountId, first: 1, last: Number.MAX_SAFE_INTEGER };
    const found = await readChanges(this.pool, [all], ['CreditsGranted', 'GrantVoided']);
    return forfeitedBy(voided, found.get(accountId) ?? []);
  }

  /** Undefined: no such account. Throws BadCursorError. */
  async read(
    accountId: string,
    { after, limit, order }: PageQuery,
  ): Promise<Table<GrantDetails> | undefined> {
    const version = after === undefined ? null : decodeNumberCursor(after);
    return withTransaction(
      this.pool,
      async (client) => {
        const { accounts } = await loadAccounts(client, [accountId], false);
        const account = accounts.get(accountId);
        if (account === undefined || account.state.version === 0) return undefined;
        const { state } = present(account.state, this.clock.now(), this.calendar);
        const found = await readGiven(client, accountId, version, limit + 1, order);
        const given = found.slice(0, limit);
        const last = found.length > limit ? given.at(-1) : undefined;
        return {
          items: await showGrants(client, accountId, given, account.state, state),
          next: last === undefined ? null : encodeCursor(last.accountVersion),
        };
      },
      'repeatable read',
    );
  }
}

/** The note of credits that an operator left to the account. */
const KEPT = 'Kept: a credit note gave the price of these credits back.';

/** The events that gave credits behind a version of the account. */
async function readGiven(
  client: pg.ClientBase,
  accountId: string,
  version: number | null,
  limit: number,
  order: Order,
): Promise<readonly StoredEvent[]> {
  const { rows } = await client.query<EventRow>({
    name: `grants-given-${order}`,
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = $1 and e.account_id = $2 and ($3::bigint is null or e.account_version ${comparisonFor(order)} $3)
              and e.type in ('CreditsGranted', 'Adjusted') and e.data ->> 'grant' is not null
            order by e.account_version ${order} limit $4`,
    values: [laneOf(accountId), accountId, version, limit],
  });
  return rows.map(toStoredEvent);
}

/** Ends of grants that were not used up, by ordinal. */
async function readEnded(
  client: pg.ClientBase,
  accountId: string,
): Promise<ReadonlyMap<number, GrantDetails['status']>> {
  const { rows } = await client.query<{ ordinal: number; type: string }>({
    name: 'grants-ended',
    text: `select (data ->> 'grant')::int as ordinal, type from event
            where lane = $1 and account_id = $2 and type in ('GrantExpired', 'GrantVoided')
              and coalesce((data ->> 'left')::bigint, 0) = 0`,
    values: [laneOf(accountId), accountId],
  });
  return new Map(
    rows.map(({ ordinal, type }) => [ordinal, type === 'GrantVoided' ? 'voided' : 'expired']),
  );
}

/** `recorded` is the account as the log records it, `current` with the due events since. */
async function showGrants(
  client: pg.ClientBase,
  accountId: string,
  given: readonly StoredEvent[],
  recorded: AccountState,
  current: AccountState,
): Promise<GrantDetails[]> {
  const views = await viewsOf(client, accountId, given);
  const open = new Map(current.grants.map((grant) => [grant.ordinal, grant]));
  const ended = await readEnded(client, accountId);
  const falling = new Set(recorded.grants.map(({ ordinal }) => ordinal));
  return views.map(({ ordinal, view }) => {
    const grant = open.get(ordinal);
    if (grant !== undefined && grant.left > 0) {
      const { refund = 0, refund_by = null } = refundOf(current, grant, { refund: true });
      return { ...view, left: grant.left, status: 'active', refund, refund_by };
    }
    const status = ended.get(ordinal) ?? (falling.has(ordinal) ? 'expired' : 'spent');
    return { ...view, left: 0, status, refund: 0, refund_by: null };
  });
}

async function viewsOf(
  client: pg.ClientBase,
  accountId: string,
  given: readonly StoredEvent[],
): Promise<{ readonly ordinal: number; readonly view: GrantDetails }[]> {
  const events = (await readable(client, given)).map(readEvent);
  const notes = await findProfiles(
    client,
    events.flatMap((event) =>
      event.type === 'CreditsGranted' && event.data.profile ? [event.data.profile.id] : [],
    ),
  );
  const invoices = await ownInvoices(client, accountId, events);
  return events.map((event) => {
    if (event.type === 'Adjusted') return adjustmentGrant(event.data, event.at);
    if (event.type !== 'CreditsGranted') throw new Error(`${event.type} gives no credits.`);
    const { data, at } = event;
    const kept = data.credit_note_id === undefined ? null : KEPT;
    const note = notes.get(data.profile?.id ?? '')?.note ?? kept;
    const invoice = invoices.get(data.grant_id) ?? NO_INVOICE;
    return { ordinal: data.grant, view: givenGrant({ at, data }, note, invoice) };
  });
}

/** Purchases that were voided before they were invoiced: no invoice of theirs will come. */
async function readUnbilled(
  client: pg.ClientBase,
  accountId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'grants-unbilled',
    text: `select data ->> 'grant_id' as id from event
            where lane = $1 and account_id = $2 and type = 'GrantVoided'
              and data ->> 'refund_by' = 'no_invoice'`,
    values: [laneOf(accountId), accountId],
  });
  return new Set(rows.map(({ id }) => id));
}

/** The invoices of purchases that have one by themselves, by grant. */
async function ownInvoices(
  client: pg.ClientBase,
  accountId: string,
  events: readonly AccountEvent[],
): Promise<ReadonlyMap<string, OwnInvoice>> {
  const unbilled = await readUnbilled(client, accountId);
  const ids = events.flatMap((event) =>
    event.type === 'CreditsGranted' &&
    event.data.invoiced === 'at_once' &&
    !unbilled.has(event.data.grant_id)
      ? [[event.data.grant_id, purchaseInvoiceIdOf(accountId, event.data.grant_id)] as const]
      : [],
  );
  const issued = await findNumbersOf(
    client,
    ids.map(([, id]) => id),
  );
  const numbers = new Map(issued.map(({ data }) => [data.id, data.number]));
  return new Map(
    ids.map(([grantId, id]) => {
      return [grantId, { invoice_id: id, invoice_number: numbers.get(id) ?? null }];
    }),
  );
}

/** Credits that an adjustment gave are kept and drawn like a grant that never expires. */
function adjustmentGrant(
  data: CreditsAdjusted,
  at: number,
): { readonly ordinal: number; readonly view: GrantDetails } {
  const view: GrantDetails = {
    id: data.grant_id ?? '',
    kind: 'adjustment',
    credits: data.credits,
    left: data.credits - data.repaid,
    priority: ADJUSTMENT_PRIORITY,
    expires_at: null,
    granted_at: formatMoment(at),
    price: null,
    note: data.reason,
    status: 'active',
    ...NO_INVOICE,
  };
  return { ordinal: data.grant ?? 0, view };
}

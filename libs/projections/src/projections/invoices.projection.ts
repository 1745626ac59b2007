import type pg from 'pg';
import {
  type BillingDetailsChanged,
  type CreditBalanceApplied,
  type CreditNoteSealed,
  type InvoiceOverdue,
  type InvoiceSealed,
  isOfMonth,
  type PaymentRecorded,
  type RefundRecorded,
  type ReminderDue,
  type RemindersSet,
  type WriteOffRecorded,
} from '#account/billing-events.js';
import type { CreditsGranted, GrantVoided } from '#account/credits.js';
import type { MonthClosed } from '#account/periods.js';
import { CHANGES } from '#event-log/milestones.js';
import type { Projection } from '#event-log/projection.js';
import { CREDIT_NOTE_NUMBERED, INVOICE_NUMBERED, SELLER_CHANGED } from '../events/number-events.js';
import type {
  CreditNoteNumbered,
  InvoiceNumbered,
  SellerChanged,
} from '../events/number-events.js';
import { EXCHANGE_RATE_SET, type ExchangeRateSet } from '../events/exchange-rate-events.js';
import { purchaseInvoiceIdOf, refundIdOf } from '../events/document-ids.js';
import { read, rowsOf, saveFacts, type Read } from './invoice-rows.js';
import { dropDue, saveDue } from './due-rows.js';
import { markOverdue, markReminded, setReminders } from './reminded-invoices.js';
import { addPaid, addTo, addWrittenOff } from './settled-invoices.js';
import { queryByLane } from '#event-log/query-by-lane.js';

export const INVOICES = 'invoices';

/** The events that it follows from, by type. */
interface WantedEvents {
  readonly BillingDetailsChanged: BillingDetailsChanged;
  readonly [SELLER_CHANGED]: SellerChanged;
  readonly [EXCHANGE_RATE_SET]: ExchangeRateSet;
  readonly CreditsGranted: CreditsGranted;
  readonly GrantVoided: GrantVoided;
  readonly MonthClosed: MonthClosed;
  readonly InvoiceSealed: InvoiceSealed;
  readonly CreditNoteSealed: CreditNoteSealed;
  readonly PaymentRecorded: PaymentRecorded;
  readonly RefundRecorded: RefundRecorded;
  readonly CreditBalanceApplied: CreditBalanceApplied;
  readonly WriteOffRecorded: WriteOffRecorded;
  readonly InvoiceOverdue: InvoiceOverdue;
  readonly ReminderDue: ReminderDue;
  readonly RemindersSet: RemindersSet;
  readonly [INVOICE_NUMBERED]: InvoiceNumbered;
  readonly [CREDIT_NOTE_NUMBERED]: CreditNoteNumbered;
}

/** In the order in which they are written: a row is there before it is changed. */
const WRITERS: {
  readonly [Type in keyof WantedEvents]: (
    client: pg.ClientBase,
    events: readonly Read<WantedEvents[Type]>[],
  ) => Promise<unknown>;
} = {
  BillingDetailsChanged: (client, events) => saveFacts(client, events),
  [SELLER_CHANGED]: (client, events) => saveFacts(client, events),
  [EXCHANGE_RATE_SET]: (client, events) => saveFacts(client, events),
  CreditsGranted: savePurchases,
  GrantVoided: followVoids,
  MonthClosed: saveMonths,
  InvoiceSealed: saveInvoices,
  CreditNoteSealed: saveCreditNotes,
  PaymentRecorded: (client, events) => addPaid(client, events, 'PaymentRecorded'),
  RefundRecorded: (client, events) => addPaid(client, events, 'RefundRecorded'),
  CreditBalanceApplied: (client, events) => addPaid(client, events, 'CreditBalanceApplied'),
  WriteOffRecorded: (client, events) => addWrittenOff(client, events, 'WriteOffRecorded'),
  InvoiceOverdue: markOverdue,
  ReminderDue: markReminded,
  RemindersSet: setReminders,
  [INVOICE_NUMBERED]: (client, events) => saveNumbers(client, events, 'invoice'),
  [CREDIT_NOTE_NUMBERED]: (client, events) => saveNumbers(client, events, 'credit_note'),
};
const TYPES = Object.keys(WRITERS) as (keyof WantedEvents)[];

/**
 * Months that are to be invoiced, and invoices with what became of them, over all accounts. What is
 * asked of one account is read from the log.
 */
export const invoicesProjection: Projection = {
  name: INVOICES,
  version: 4,
  tables: [
    'invoice_purchase',
    'document_due',
    'invoice_month',
    'invoice',
    'credit_note',
    'invoice_number',
    'invoice_fact',
  ],
  wants: CHANGES,
  async apply(events, client) {
    for (const type of TYPES) {
      const own = events.filter((event) => event.type === type).map(read);
      if (own.length > 0) await WRITERS[type](client, own as never);
    }
  },
};

/** Purchases for their month's invoice, or for one of their own. */
async function savePurchases(
  client: pg.ClientBase,
  events: readonly Read<CreditsGranted>[],
): Promise<void> {
  const purchases = events.filter(({ data }) => data.price !== null);
  const ofMonths = purchases.filter(({ data }) => data.invoiced === undefined);
  if (ofMonths.length > 0) {
    await client.query({
      name: 'invoices-purchases',
      text: `insert into invoice_purchase (lane, account_id, account_version, grant_ordinal)
             select lane, account_id, account_version, grant_ordinal
               from json_populate_recordset(null::invoice_purchase, $1)`,
      values: [rowsOf(ofMonths, ({ data }) => ({ grant_ordinal: data.grant }))],
    });
  }
  const atOnce = purchases.filter(({ data }) => data.invoiced === 'at_once');
  await saveDue(client, atOnce, purchaseInvoiceOf);
}

function purchaseInvoiceOf({ stored, data }: Read<CreditsGranted | GrantVoided>): string {
  return purchaseInvoiceIdOf(stored.accountId, data.grant_id);
}

/** A purchase that is not billed any more is due no more; a refund is. */
async function followVoids(
  client: pg.ClientBase,
  events: readonly Read<GrantVoided>[],
): Promise<void> {
  const isLess = ({ data }: Read<GrantVoided>) => data.refund_by === 'lower_invoice';
  const unbilled = events.filter(({ data }) => data.refund_by === 'no_invoice');
  const lowered = [...events.filter(isLess), ...unbilled];
  // Held invoices are judged again.
  if (lowered.length > 0) await saveFacts(client, lowered);
  if (unbilled.length > 0) {
    await queryByLane<object, Read<GrantVoided>>(
      client,
      unbilled,
      ({ stored }) => stored.lane,
      (own) => ({
        name: 'invoices-purchases-voided',
        text: `delete from invoice_purchase p
              using json_populate_recordset(null::invoice_purchase, $1) v
              where (p.lane, p.account_id, p.grant_ordinal)
                    = (v.lane, v.account_id, v.grant_ordinal)`,
        values: [rowsOf(own, ({ data }) => ({ grant_ordinal: data.grant }))],
      }),
    );
    await dropMonths(client, unbilled);
    await dropDue(client, unbilled, purchaseInvoiceOf);
  }
  const refunds = events.filter(({ data }) => data.refund_by === 'credit_note');
  await saveDue(client, refunds, ({ stored, data }) => refundIdOf(stored.accountId, data.grant_id));
}

/** Months that were to be invoiced for purchases alone, of which none is left, are so no more. */
async function dropMonths(
  client: pg.ClientBase,
  events: readonly Read<GrantVoided>[],
): Promise<void> {
  await queryByLane<object, Read<GrantVoided>>(
    client,
    events,
    ({ stored }) => stored.lane,
    (own) => ({
      name: 'invoices-months-voided',
      text: `update invoice_month m set is_billable = false
             from json_populate_recordset(null::invoice_month, $1) v
            where (m.lane, m.account_id) = (v.lane, v.account_id)
              and m.is_billable and not m.is_sealed
              and not exists (
                    select from invoice_purchase p
                     where p.lane = m.lane and p.account_id = m.account_id
                       and p.account_version between m.first_version and m.close_version)
              and exists (
                    select from event e
                     where e.lane = m.lane and e.account_id = m.account_id
                       and e.account_version = m.close_version and e.type = 'MonthClosed'
                       and (e.data ->> 'overage')::bigint = 0
                       and coalesce((e.data -> 'plan' ->> 'monthly_fee')::bigint, 0) = 0)`,
      values: [rowsOf(own, () => ({}))],
    }),
  );
}

/** Whether there is something to bill is said for the list of what is due; lines decide. */
function saveMonths(client: pg.ClientBase, events: readonly Read<MonthClosed>[]) {
  const rows = (own: readonly Read<MonthClosed>[]) =>
    rowsOf(own, ({ stored, data }) => ({
      month: data.month,
      first_version: data.account_version.from,
      close_version: stored.accountVersion,
      closed_at: new Date(stored.at).toISOString(),
      is_billable: data.overage > 0 || (data.plan?.monthly_fee ?? 0) > 0,
    }));
  return queryByLane<object, Read<MonthClosed>>(
    client,
    events,
    ({ stored }) => stored.lane,
    (own) => ({
      name: 'invoices-months',
      text: `insert into invoice_month
             (lane, account_id, month, first_version, close_version, closed_at, is_billable)
           select lane, account_id, month, first_version, close_version, closed_at,
                  is_billable or exists (
                    select from invoice_purchase p
                     where p.lane = m.lane and p.account_id = m.account_id
                       and p.account_version between m.first_version and m.close_version)
             from json_populate_recordset(null::invoice_month, $1) m`,
      values: [rows(own)],
    }),
  );
}

async function saveInvoices(
  client: pg.ClientBase,
  events: readonly Read<InvoiceSealed>[],
): Promise<void> {
  const rows = rowsOf(events, ({ data: { invoice_id: id, ...data } }) => ({ id, ...data }));
  await client.query({
    name: 'invoices-save',
    text: `insert into invoice (lane, account_id, id, month, account_version, series, issue_date,
                                due_date, currency, net, tax, total)
           select lane, account_id, id, month, account_version, series, issue_date,
                  due_date, currency, net, tax, total
             from json_populate_recordset(null::invoice, $1)`,
    values: [rows],
  });
  const dueBefore = events.filter(({ data }) => !isOfMonth(data));
  await dropDue(client, dueBefore, ({ data }) => data.invoice_id);
  const ofMonths = events.filter(({ data }) => isOfMonth(data));
  await queryByLane<object, Read<InvoiceSealed>>(
    client,
    ofMonths,
    ({ stored }) => stored.lane,
    (own) => ({
      name: 'invoices-sealed',
      text: `update invoice_month m set is_sealed = true
             from json_populate_recordset(null::invoice_month, $1) i
            where (m.lane, m.account_id, m.month) = (i.lane, i.account_id, i.month)`,
      values: [rowsOf(own, ({ data: { month } }) => ({ month }))],
    }),
  );
}

async function saveCreditNotes(
  client: pg.ClientBase,
  events: readonly Read<CreditNoteSealed>[],
): Promise<void> {
  const refunds = events.filter(({ data }) => data.grant_id !== undefined);
  await dropDue(client, refunds, ({ data }) => data.credit_note_id);
  const voids = events.filter(({ data }) => data.reissued_as !== undefined);
  await saveDue(client, voids, ({ data: { reissued_as: id } }) => id);
  const rows = rowsOf(events, ({ data: { credit_note_id: id, ...data } }) => ({ id, ...data }));
  await client.query({
    name: 'invoices-credit-notes',
    text: `insert into credit_note (lane, account_id, id, invoice_id, month, account_version,
                                    series, issue_date, currency, net, tax, total)
           select lane, account_id, id, invoice_id, month, account_version, series, issue_date,
                  currency, net, tax, total
             from json_populate_recordset(null::credit_note, $1)`,
    values: [rows],
  });
  const credited = events.map(({ stored, data: { invoice_id: id, total: amount } }) => {
    return { stored, data: { id, amount } };
  });
  await addTo(client, 'credited', credited);
  await addPaid(client, events, 'CreditNoteSealed');
  await addWrittenOff(client, events, 'CreditNoteSealed');
}

function saveNumbers(
  client: pg.ClientBase,
  events: readonly Read<InvoiceNumbered | CreditNoteNumbered>[],
  type: 'invoice' | 'credit_note',
) {
  const rows = rowsOf(events, ({ stored, data }) => ({
    position: stored.position,
    document_id: data.id,
    account_id: data.account_id,
    account_lane: data.lane,
    type,
    number: data.number,
  }));
  return client.query({
    name: 'invoices-numbers',
    text: `insert into invoice_number
             (lane, position, document_id, account_id, account_lane, type, number)
           select lane, position, document_id, account_id, account_lane, type, number
             from json_populate_recordset(null::invoice_number, $1)`,
    values: [rows],
  });
}

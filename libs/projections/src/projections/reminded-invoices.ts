import type pg from 'pg';
import type { InvoiceOverdue, ReminderDue, RemindersSet } from '#account/billing-events.js';
import { rowsOf, type Read } from './invoice-rows.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** Keeps the last reminder of each invoice, by its days after the due date. */
export function markReminded(client: pg.ClientBase, events: readonly Read<ReminderDue>[]) {
  return queryByLane<object, Read<ReminderDue>>(
    client,
    events,
    ({ stored }) => stored.lane,
    (own) => ({
      name: 'invoices-reminded',
      text: `update invoice i set reminded_days = r.days
             from (select lane, id, max(days)::smallint as days
                     from json_to_recordset($1) as one (lane smallint, id uuid, days int)
                    group by 1, 2) r
            where i.lane = r.lane and i.id = r.id and i.reminded_days < r.days`,
      values: [rowsOf(own, ({ data }) => ({ id: data.invoice_id, days: data.days }))],
    }),
  );
}

/** Stops reminders, or lets them go on, as was said last. */
export function setReminders(client: pg.ClientBase, events: readonly Read<RemindersSet>[]) {
  const last = [...new Map(events.map((event) => [event.data.invoice_id, event])).values()];
  return queryByLane<object, Read<RemindersSet>>(
    client,
    last,
    ({ stored }) => stored.lane,
    (own) => ({
      name: 'invoices-reminders-set',
      text: `update invoice i set reminders_stopped = r.stopped
             from json_to_recordset($1) as r (lane smallint, id uuid, stopped boolean)
            where i.lane = r.lane and i.id = r.id`,
      values: [rowsOf(own, ({ data }) => ({ id: data.invoice_id, stopped: data.stopped }))],
    }),
  );
}

/** Marks invoices of which the day after the due date began with something due. */
export function markOverdue(client: pg.ClientBase, events: readonly Read<InvoiceOverdue>[]) {
  return queryByLane<object, Read<InvoiceOverdue>>(
    client,
    events,
    ({ stored }) => stored.lane,
    (own) => ({
      name: 'invoices-overdue',
      text: `update invoice i set is_overdue = true
             from json_populate_recordset(null::invoice, $1) o
            where i.lane = o.lane and i.id = o.id`,
      values: [rowsOf(own, ({ data }) => ({ id: data.invoice_id }))],
    }),
  );
}

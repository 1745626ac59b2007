import type { Notification } from '#account/event-type.js';
import { EVENT_TYPES } from '#account/event-types.js';
import type { AccountNotification, AnyEventType } from '#account/event-types.js';
import type { StoredEvent } from '#event-log/event-log.js';
import {
  CREDIT_NOTE_NUMBERED,
  INVOICE_NUMBERED,
  type CreditNoteNumbered,
  type InvoiceNumbered,
} from '../events/number-events.js';
import {
  RELEASE_MISSING,
  RELEASE_PUBLISHED,
  type ReleaseMissing,
  type ReleasePublished,
} from '#popularity/release-events.js';

const OF_THE_SYSTEM = {
  [INVOICE_NUMBERED]: {
    type: 'invoice.issued',
    data: ({ id, number, month, currency, total, due_date }: InvoiceNumbered) => ({
      invoice_id: id,
      number,
      month,
      currency,
      total,
      due_date,
    }),
  },
  [CREDIT_NOTE_NUMBERED]: {
    type: 'credit_note.issued',
    // Below 0, as on the document; the event holds how much is taken back.
    data: (note: CreditNoteNumbered) => ({
      credit_note_id: note.id,
      number: note.number,
      invoice_id: note.invoice_id,
      invoice_number: note.invoice_number,
      month: note.month,
      currency: note.currency,
      total: -note.total,
    }),
  },
  [RELEASE_PUBLISHED]: {
    type: 'release.ready',
    data: ({ release, window, through }: ReleasePublished) => ({ release, window, through }),
  },
  [RELEASE_MISSING]: {
    type: 'release.missing',
    data: ({ window, window_starts_at, serving }: ReleaseMissing) => ({
      window,
      window_starts_at,
      serving,
    }),
  },
} as const;

export type NotificationType =
  AccountNotification | (typeof OF_THE_SYSTEM)[keyof typeof OF_THE_SYSTEM]['type'];

type Notified = Notification<never, NotificationType>;

/** By type of event, as it stands in the log. */
const NOTIFIED: ReadonlyMap<string, Notified> = new Map<string, Notified>([
  ...Object.entries<AnyEventType>(EVENT_TYPES).flatMap(([name, { notification }]) =>
    notification === undefined ? [] : [[name, notification] as const],
  ),
  ...Object.entries<Notified>(OF_THE_SYSTEM),
]);

/** Types of notifications to customers and operators (contract 5). The names are permanent. */
export const NOTIFICATION_TYPES: readonly NotificationType[] = [...NOTIFIED.values()].map(
  ({ type }) => type,
);

/** Types of notified events, as stored in the log. */
export const NOTIFIED_EVENTS: readonly string[] = [...NOTIFIED.keys()];

/** The notification's type of an event, or undefined for an event that is not notified. */
export function notificationType(eventType: string): NotificationType | undefined {
  return NOTIFIED.get(eventType)?.type;
}

/** The notification's data of an event. Throws for an event that is not notified. */
export function notificationData({
  type,
  data,
}: Pick<StoredEvent, 'type' | 'data'>): Readonly<Record<string, unknown>> {
  const notified = NOTIFIED.get(type);
  if (notified === undefined) throw new Error(`An event of type ${type} is no notification.`);
  return notified.data(JSON.parse(data) as never);
}

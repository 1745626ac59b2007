import type { StoredEvent } from '#event-log/event-log.js';
import { CHANGES } from '#event-log/milestones.js';
import type { Projection } from '#event-log/projection.js';
import { CREDIT_NOTE_NUMBERED, INVOICE_NUMBERED } from '../events/number-events.js';
import { notificationType } from './notification-types.js';

export const NOTIFICATIONS = 'notifications';

/**
 * Positions of the events that are delivered as notifications. Their deliveries are in no event and
 * are not projected.
 */
export const notificationsProjection: Projection = {
  name: NOTIFICATIONS,
  version: 1,
  tables: ['notification'],
  wants: CHANGES,
  async apply(events, client) {
    const notified = events.flatMap((event) => {
      const { lane, position, type: eventType } = event;
      const type = notificationType(eventType);
      const accountId = concerned(event);
      return type === undefined ? [] : [{ lane, position, accountId, type }];
    });
    if (notified.length === 0) return;
    await client.query({
      name: 'notifications-save',
      text: `insert into notification (lane, position, account_id, type)
             select * from unnest($1::smallint[], $2::bigint[], $3::uuid[], $4::text[])`,
      values: [
        notified.map(({ lane }) => lane),
        notified.map(({ position }) => position),
        notified.map(({ accountId }) => accountId),
        notified.map(({ type }) => type),
      ],
    });
  },
};

/** The account of an event: numbers are given in the system's lane, to documents of accounts. */
function concerned({ type, accountId, data }: StoredEvent): string {
  if (type !== INVOICE_NUMBERED && type !== CREDIT_NOTE_NUMBERED) return accountId;
  return (JSON.parse(data) as { readonly account_id: string }).account_id;
}

import type { StoredEvent } from '#event-log/event-log.js';
import type { Projection } from '#event-log/projection.js';
import { CREDIT_NOTE_NUMBERED, INVOICE_NUMBERED } from '../events/number-events.js';
import { notificationType, TOLD_EVENTS } from './notification-types.js';

export const NOTIFICATIONS = 'notifications';

/**
 * Where in the log the events stand that somebody is told of. Who is told, and whether it worked, is
 * in no event: that is not projected.
 */
export const notificationsProjection: Projection = {
  name: NOTIFICATIONS,
  version: 1,
  tables: ['notification'],
  types: TOLD_EVENTS,
  async apply(events, client) {
    const told = events.flatMap((event) => {
      const { lane, position, type: eventType } = event;
      const type = notificationType(eventType);
      const accountId = concerned(event);
      return type === undefined ? [] : [{ lane, position, accountId, type }];
    });
    if (told.length === 0) return;
    await client.query({
      name: 'notifications-save',
      text: `insert into notification (lane, position, account_id, type)
             select * from unnest($1::smallint[], $2::bigint[], $3::uuid[], $4::text[])`,
      values: [
        told.map(({ lane }) => lane),
        told.map(({ position }) => position),
        told.map(({ accountId }) => accountId),
        told.map(({ type }) => type),
      ],
    });
  },
};

/** Whom an event concerns: numbers are given in the system's lane, each to an account's document. */
function concerned({ type, accountId, data }: StoredEvent): string {
  if (type !== INVOICE_NUMBERED && type !== CREDIT_NOTE_NUMBERED) return accountId;
  return (JSON.parse(data) as { readonly account_id: string }).account_id;
}

import type { Projection } from '#event-log/projection.js';
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
    const told = events.flatMap(({ lane, position, accountId, type: eventType }) => {
      const type = notificationType(eventType);
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

import type { DisputeOpened, DisputeResolved } from '#account/disputes.js';
import { CHANGES } from '#event-log/milestones.js';
import type { Projection } from '#event-log/projection.js';
import { read, rowsOf, type Read } from './invoice-rows.js';
import { queryByLane } from '#event-log/query-by-lane.js';

export const DISPUTES = 'disputes';

/** Disputes of all accounts, for the queue of operators: the log holds what was said. */
export const disputesProjection: Projection = {
  name: DISPUTES,
  version: 1,
  tables: ['dispute'],
  wants: CHANGES,
  async apply(events, client) {
    const opened = events.filter(({ type }) => type === 'DisputeOpened').map(read);
    if (opened.length > 0) {
      await client.query({
        name: 'disputes-opened',
        text: `insert into dispute (lane, account_id, id, position, opened_at, call_ids)
               select lane, account_id, id, position, opened_at, call_ids
                 from json_populate_recordset(null::dispute, $1)`,
        values: [
          rowsOf(opened as Read<DisputeOpened>[], ({ stored, data }) => ({
            id: data.dispute_id,
            position: stored.position,
            opened_at: new Date(stored.at).toISOString(),
            call_ids: data.call_ids,
          })),
        ],
      });
    }
    const resolved = events
      .filter(({ type }) => type === 'DisputeResolved')
      .map(read) as Read<DisputeResolved>[];
    await queryByLane<object, Read<DisputeResolved>>(
      client,
      resolved,
      ({ stored }) => stored.lane,
      (own) => ({
        name: 'disputes-resolved',
        text: `update dispute d set status = r.status, resolved_position = r.resolved_position
               from json_populate_recordset(null::dispute, $1) r
              where (d.lane, d.id) = (r.lane, r.id)`,
        values: [
          rowsOf(own, ({ stored, data }) => ({
            id: data.dispute_id,
            status: data.outcome,
            resolved_position: stored.position,
          })),
        ],
      }),
    );
  },
};

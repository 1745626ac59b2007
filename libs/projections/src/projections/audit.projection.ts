import { SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import { CHANGES } from '#event-log/milestones.js';
import type { Projection } from '#event-log/projection.js';
import { queryByLane } from '#event-log/query-by-lane.js';

export const AUDIT = 'audit';

/** Calls are charges and no changes: all but these few types are looked at. */
const CALL = 'CallMade';

/**
 * Where in the log the changes stand, by whom and when: every event that says who asked for it, and
 * every event of the system. It names no types, so that none which comes to the log is forgotten.
 * The moment is the real one of the append, because a test clock may stand anywhere.
 */
export const auditProjection: Projection = {
  name: AUDIT,
  version: 1,
  tables: ['audit_entry'],
  wants: CHANGES,
  async apply(events, client) {
    const entries = events.flatMap(entryOf);
    if (entries.length === 0) return;
    await queryByLane<object, Entry>(
      client,
      entries,
      ({ lane }) => lane,
      (own) => ({
        name: 'audit-save',
        text: `insert into audit_entry (lane, position, at, account_id, type, token_id)
             select e.lane, e.position, date_trunc('milliseconds', b.committed_at), e.account_id,
                    e.type, e.token_id
               from unnest($1::smallint[], $2::bigint[], $3::uuid[], $4::text[], $5::text[])
                    as e (lane, position, account_id, type, token_id)
               left join lateral (
                select committed_at from batch
                 where lane = e.lane and last_position >= e.position
                 order by last_position limit 1) b on true`,
        values: [
          own.map(({ lane }) => lane),
          own.map(({ position }) => position),
          own.map(({ accountId }) => accountId),
          own.map(({ type }) => type),
          own.map(({ tokenId }) => tokenId),
        ],
      }),
    );
  },
};

interface Entry extends Pick<StoredEvent, 'lane' | 'position' | 'type'> {
  readonly accountId: string | null;
  readonly tokenId: string | null;
}

function entryOf({ lane, position, accountId, type, data }: StoredEvent): Entry[] {
  if (type === CALL) return [];
  const { by } = JSON.parse(data) as { readonly by?: string };
  if (lane === SYSTEM_LANE) return [{ lane, position, type, accountId: null, tokenId: by ?? null }];
  return by === undefined ? [] : [{ lane, position, type, accountId, tokenId: by }];
}

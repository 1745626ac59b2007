import type pg from 'pg';
import type { DisputeOpened, DisputeResolved } from '#account/dispute-events.js';
import { formatMoment } from '#calendar/instant.js';
import { msOfMoment, momentOfMs } from '#database/moment-of.js';
import { laneOf, LANES_OF_ACCOUNTS } from '#event-log/event-log.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import { BadCursorError } from '#web/read-errors.js';
import { isUuid } from '#web/uuid.js';
import { DISPUTES } from '../projections/disputes.projection.js';
import { readable } from '../texts/readable.js';
import type { Page } from '../views/account-reads.js';
import type { DisputeView } from '../views/dispute-view.js';

export interface DisputeFilter {
  readonly accountId: string | null;
  readonly status?: DisputeView['status'] | undefined;
  readonly callId?: string | undefined;
  readonly order: 'asc' | 'desc';
}

interface Said<Data> {
  /** Ms since 1970, by the account's clock. */
  readonly at: number;
  readonly data: Data;
}

interface DisputeRow {
  readonly account_id: string;
  readonly is_resolved: boolean;
  readonly opened: number;
  /** JSON of `Sides`. */
  readonly data: string;
}

interface Sides {
  readonly opened: Said<DisputeOpened>;
  readonly resolved: Said<DisputeResolved> | null;
}

const PLACE = /^\d{1,15}$/;
const SIDES = `json_build_object(
  'opened', json_build_object('at', ${msOfMoment('o.at')}, 'data', o.data),
  'resolved', case when r.data is not null
    then json_build_object('at', ${msOfMoment('r.at')}, 'data', r.data) end)::text as data`;

/** Disputes of one account or of all: rows say where in the log they stand. */
export class DisputeReads {
  constructor(private readonly pool: pg.Pool) {}

  /** Open ones first, then by when they were opened. Throws BadCursorError. */
  async list(
    { accountId, status, callId, order }: DisputeFilter,
    after: string | null,
    limit: number,
  ): Promise<Page<DisputeView>> {
    const place = after === null ? [] : placeOf(after);
    const beyond = order === 'asc' ? '>' : '<';
    const { rows } = await this.pool.query<DisputeRow>(
      `select d.account_id, d.is_resolved, ${msOfMoment('d.opened_at')} as opened, ${SIDES}
         from dispute d
         join event o on (o.lane, o.position) = (d.lane, d.position)
         left join event r on (r.lane, r.position) = (d.lane, d.resolved_position)
        where ($2::uuid is null or d.account_id = $2)
          and ($3::text is null or d.status = $3)
          and ($4::uuid is null or d.call_ids @> array[$4::uuid])
          ${
            after === null
              ? ''
              : `and (d.is_resolved, d.opened_at, d.id)
                 ${beyond} ($5::boolean, ${momentOfMs('$6')}, $7::uuid)`
          }
        order by d.is_resolved ${order}, d.opened_at ${order}, d.id ${order} limit $1`,
      [limit + 1, accountId, status ?? null, callId ?? null, ...place],
    );
    const shown = await readable(this.pool, rows.slice(0, limit));
    const items = shown.map(viewOf);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const id = items.at(-1)?.id ?? '';
    const next = last && encodePlace(DISPUTES, [String(last.is_resolved), String(last.opened), id]);
    return { items, next: next ?? null };
  }

  /** From the log itself, so that it is always current; undefined: there is no such dispute. */
  async one(accountId: string | null, id: string): Promise<DisputeView | undefined> {
    const { rows } = await this.pool.query<DisputeRow>({
      name: 'dispute',
      text: `select o.account_id, ${SIDES} from event o
               left join event r on r.lane = o.lane and r.account_id = o.account_id
                and r.account_version > o.account_version and r.type = 'DisputeResolved'
                and r.data ->> 'dispute_id' = o.data ->> 'dispute_id'
              where o.lane = any ($1::smallint[]) and o.call_id = $2 and o.type = 'DisputeOpened'
                and ($3::uuid is null or o.account_id = $3)`,
      values: [accountId === null ? LANES_OF_ACCOUNTS : [laneOf(accountId)], id, accountId],
    });
    return (await readable(this.pool, rows)).map(viewOf)[0];
  }
}

function viewOf({ account_id, data }: Pick<DisputeRow, 'account_id' | 'data'>): DisputeView {
  const { opened, resolved } = JSON.parse(data) as Sides;
  return {
    id: opened.data.dispute_id,
    account_id,
    call_ids: opened.data.call_ids,
    disputed_credits: opened.data.credits,
    reason: opened.data.reason || null,
    status: resolved?.data.outcome ?? 'open',
    opened_at: formatMoment(opened.at),
    answer: resolved?.data.reason || null,
    given_back_credits: resolved?.data.credits ?? 0,
    resolved_at: resolved && formatMoment(resolved.at),
  };
}

function placeOf(cursor: string): readonly string[] {
  const place = decodePlace(DISPUTES, 3, cursor);
  const [resolved = '', opened = '', id = ''] = place;
  if (!['true', 'false'].includes(resolved) || !PLACE.test(opened) || !isUuid(id)) {
    throw new BadCursorError(cursor);
  }
  return place;
}

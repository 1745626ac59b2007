import type pg from 'pg';
import type { DisputeOpened, DisputeResolved } from '#account/disputes.js';
import { formatMoment } from '#calendar/instant.js';
import { msOfMoment, momentOfMs } from '#database/moment-of.js';
import { laneOf, LANES_OF_ACCOUNTS } from '#event-log/event-log.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import { BadCursorError } from '#web/read-errors.js';
import { isUuid } from '#web/uuid.js';
import { readChanges, type PlacedEvent } from '../events/month-events.js';
import { DISPUTES } from '../projections/disputes.projection.js';
import { readable } from '../texts/readable.js';
import type { Page } from '../views/account-reads.js';
import type { DisputeView } from '../views/dispute-view.js';
import { comparisonFor, pageOf } from '../views/pages.js';

export interface DisputeFilter {
  readonly accountId: string | null;
  readonly status?: DisputeView['status'] | undefined;
  readonly callId?: string | undefined;
  readonly order: 'asc' | 'desc';
}

interface DatedStatement<Data> {
  /** Ms since 1970, by the account's clock. */
  readonly at: number;
  readonly data: Data;
}

interface DisputeRow {
  readonly account_id: string;
  /** JSON of `Sides`. */
  readonly data: string;
}

interface Sides {
  readonly opened: DatedStatement<DisputeOpened>;
  readonly resolved: DatedStatement<DisputeResolved> | null;
}

const PLACE = /^\d{1,15}$/;
const SIDES = `json_build_object(
  'opened', json_build_object('at', ${msOfMoment('o.at')}, 'data', o.data),
  'resolved', case when r.data is not null
    then json_build_object('at', ${msOfMoment('r.at')}, 'data', r.data) end)::text as data`;

/** Disputes of one account, as the log says, or of all: rows say where in the log they stand. */
export class DisputeReads {
  constructor(private readonly pool: pg.Pool) {}

  /**
   * Open ones first, then by when they were opened. Those of one account are always current.
   * Throws BadCursorError.
   */
  async list(
    filter: DisputeFilter,
    after: string | null,
    limit: number,
  ): Promise<Page<DisputeView>> {
    const place = after === null ? null : placeOf(after);
    const found =
      filter.accountId === null
        ? await this.ofAll(filter, place, limit + 1)
        : await this.ofAccount(filter.accountId, filter, place);
    return pageOf(found, limit, (dispute) => dispute, cursorOf);
  }

  private async ofAccount(
    accountId: string,
    { status, callId, order }: DisputeFilter,
    place: Place | null,
  ): Promise<readonly DisputeView[]> {
    const all = { accountId, first: 1, last: Number.MAX_SAFE_INTEGER };
    const read = await readChanges(this.pool, [all], ['DisputeOpened', 'DisputeResolved']);
    const sign = order === 'asc' ? 1 : -1;
    return disputesIn(accountId, read.get(accountId) ?? [])
      .filter((one) => status === undefined || one.status === status)
      .filter((one) => callId === undefined || one.call_ids.includes(callId))
      .filter((one) => place === null || sign * comparePlaces(placeIn(one), place) > 0)
      .toSorted((one, other) => sign * comparePlaces(placeIn(one), placeIn(other)));
  }

  private async ofAll(
    { status, callId, order }: DisputeFilter,
    place: Place | null,
    limit: number,
  ): Promise<readonly DisputeView[]> {
    const { rows } = await this.pool.query<DisputeRow>(
      `select d.account_id, ${SIDES}
         from dispute d
         join event o on (o.lane, o.position) = (d.lane, d.position)
         left join event r on (r.lane, r.position) = (d.lane, d.resolved_position)
        where ($2::text is null or d.status = $2)
          and ($3::uuid is null or d.call_ids @> array[$3::uuid])
          ${
            place === null
              ? ''
              : `and (d.is_resolved, d.opened_at, d.id)
                 ${comparisonFor(order)} ($4::boolean, ${momentOfMs('$5')}, $6::uuid)`
          }
        order by d.is_resolved ${order}, d.opened_at ${order}, d.id ${order} limit $1`,
      [limit, status ?? null, callId ?? null, ...(place ?? [])],
    );
    return (await readable(this.pool, rows)).map(viewOf);
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

function viewOf({ account_id: accountId, data }: DisputeRow): DisputeView {
  return viewOfSides(accountId, JSON.parse(data) as Sides);
}

function viewOfSides(accountId: string, { opened, resolved }: Sides): DisputeView {
  return {
    id: opened.data.dispute_id,
    account_id: accountId,
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

/** `events`: of one account, in their order. */
function disputesIn(accountId: string, events: readonly PlacedEvent[]): readonly DisputeView[] {
  const sides = new Map<string, Sides>();
  for (const { stored, event } of events) {
    const { at } = stored;
    if (event.type === 'DisputeOpened') {
      sides.set(event.data.dispute_id, { opened: { at, data: event.data }, resolved: null });
    } else if (event.type === 'DisputeResolved') {
      const { opened } = sides.get(event.data.dispute_id) ?? {};
      if (opened === undefined) throw new Error('A dispute was resolved before it was opened.');
      sides.set(event.data.dispute_id, { opened, resolved: { at, data: event.data } });
    }
  }
  return [...sides.values()].map((one) => viewOfSides(accountId, one));
}

/** Whether it is resolved, when it was opened (ms since 1970), its id: the order of lists. */
type Place = readonly [isResolved: boolean, openedAt: number, id: string];

function placeIn({ status, opened_at, id }: DisputeView): Place {
  return [status !== 'open', Date.parse(opened_at), id];
}

function comparePlaces([resolved, at, id]: Place, [otherResolved, otherAt, otherId]: Place) {
  const byState = Number(resolved) - Number(otherResolved);
  return byState || at - otherAt || (id < otherId ? -1 : Number(id > otherId));
}

function cursorOf(dispute: DisputeView): string {
  return encodePlace(DISPUTES, placeIn(dispute).map(String));
}

function placeOf(cursor: string): Place {
  const [resolved = '', opened = '', id = ''] = decodePlace(DISPUTES, 3, cursor);
  if (!['true', 'false'].includes(resolved) || !PLACE.test(opened) || !isUuid(id)) {
    throw new BadCursorError(cursor);
  }
  return [resolved === 'true', Number(opened), id];
}

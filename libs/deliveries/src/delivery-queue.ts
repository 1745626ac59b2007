import type pg from 'pg';
import { DELIVERY_COLUMNS, toDelivery, type DeliveryRow } from './delivery-row.js';
import type { Delivery, NewDelivery, Outcome, DeliveryAttempt } from './delivery.js';
import { retryDelayMs } from './retry-schedule.js';

/** How many deliveries may begin now. */
export interface Room {
  readonly inAll: number;
  readonly forEach: number;
  /** By receiver, where it is another number. */
  readonly byReceiver: ReadonlyMap<string, number>;
}

// A receiver with a long backlog must not hide the others: each is asked for its own. The list of
// those that wait is walked by the index, from one to the next.
const CLAIM = `
with recursive waiting as (
  (select receiver from delivery where status = 'pending' order by receiver limit 1)
  union all
  select (select d.receiver from delivery d
           where d.status = 'pending' and d.receiver > w.receiver order by d.receiver limit 1)
    from waiting w where w.receiver is not null
), due as (
  select picked.id
    from waiting w
    left join unnest($1::uuid[], $2::int[]) as r (receiver, room) on r.receiver = w.receiver
   cross join lateral (
     select c.id from delivery c
      where c.receiver = w.receiver and c.status = 'pending' and c.next_at <= now()
        and (c.claimed_until is null or c.claimed_until < now())
      order by c.next_at limit coalesce(r.room, $3) for update skip locked) picked
   limit $4
)
update delivery d
   set tries = d.tries + 1, claimed_until = now() + $5 * interval '1 millisecond'
  from due where d.id = due.id
returning ${DELIVERY_COLUMNS}`;

// What happened is written down whoever holds the delivery by now; an attempt that was late decides
// nothing any more, unless it succeeded.
const RECORD = `
with tried as (
  insert into delivery_attempt (id, delivery_id, at, duration_ms, outcome, status, detail)
  select $2, $1, to_timestamp($3::float8 / 1000.0), $4, $5, $6, $7 where $5::text <> 'cancelled'
  on conflict (id) do nothing
)
update delivery d
   set claimed_until = null,
       status = case when $5 = 'delivered' then 'delivered'
                     when d.status <> 'pending' or not $8 then d.status else $9 end,
       next_at = case when $5 = 'delivered' then null
                      when d.status <> 'pending' or not $8 then d.next_at
                      else now() + $10::float8 * interval '1 millisecond' end
 where d.id = $1 and ($5 = 'delivered' or d.tries = $11)`;

/** The deliveries that are to be made: planned, claimed for one attempt, and what became of it. */
export class DeliveryQueue {
  constructor(
    private readonly pool: pg.Pool,
    /** How long an attempt is its claimer's: longer than any takes. */
    private readonly leaseMs: number,
  ) {}

  /** Claims what is due, at most as many as there is room for, for one attempt each. */
  async claim({ inAll, forEach, byReceiver }: Room): Promise<Delivery[]> {
    if (inAll <= 0) return [];
    const rooms = [...byReceiver.values()].map((room) => Math.max(0, room));
    const { rows } = await this.pool.query<DeliveryRow>({
      name: 'delivery-claim',
      text: CLAIM,
      values: [[...byReceiver.keys()], rooms, forEach, inAll, this.leaseMs],
    });
    return rows.map(toDelivery);
  }

  /** Claims one delivery beside the schedule, in any status; undefined while it is claimed. */
  async claimOne(id: string): Promise<Delivery | undefined> {
    const { rows } = await this.pool.query<DeliveryRow>({
      name: 'delivery-claim-one',
      text: `update delivery d set claimed_until = now() + $2 * interval '1 millisecond'
              where d.id = $1 and (d.claimed_until is null or d.claimed_until < now())
             returning ${DELIVERY_COLUMNS}`,
      values: [id, this.leaseMs],
    });
    return rows.map(toDelivery)[0];
  }

  /** Writes down an attempt; `isScheduled`: its failure leads to the next one, or to the end. */
  async record(delivery: Delivery, tried: DeliveryAttempt, isScheduled: boolean): Promise<void> {
    const { outcome } = tried;
    const delayMs = nextDelayMs(delivery, outcome);
    const status =
      outcome.outcome === 'cancelled' ? 'cancelled' : delayMs === null ? 'failed' : 'pending';
    await this.pool.query({
      name: 'delivery-record',
      text: RECORD,
      values: [
        delivery.id,
        tried.id,
        tried.at,
        tried.durationMs,
        outcome.outcome,
        outcome.outcome === 'cancelled' ? null : outcome.status,
        outcome.outcome === 'failed' ? outcome.detail : null,
        isScheduled,
        status,
        delayMs,
        delivery.tries,
      ],
    });
  }

  /** Keeps a delivery that was attempted at once, and never will be again by itself. */
  async keepTest(delivery: NewDelivery, createdAt: number, tried: DeliveryAttempt): Promise<void> {
    const { outcome } = tried;
    await this.pool.query({
      name: 'delivery-keep-test',
      text: `insert into delivery (id, receiver, account_id, type, status, created_at)
             values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000.0)) on conflict (id) do nothing`,
      values: [
        delivery.id,
        delivery.receiver,
        delivery.accountId,
        delivery.type,
        outcome.outcome,
        createdAt,
      ],
    });
    await this.record({ ...delivery, ...UNSCHEDULED, createdAt }, tried, false);
  }

  /** How many are still to be made. */
  async pending(): Promise<number> {
    const { rows } = await this.pool.query<{ pending: number }>(
      `select count(*) as pending from delivery where status = 'pending'`,
    );
    return rows[0]?.pending ?? 0;
  }
}

const UNSCHEDULED = { status: 'failed', tries: 0, nextAt: null } as const;

/** How long until the next try; null: there is none. */
function nextDelayMs({ tries }: Delivery, outcome: Outcome): number | null {
  const isFinal = outcome.outcome === 'failed' && outcome.isFinal;
  return outcome.outcome === 'failed' && !isFinal ? retryDelayMs(tries) : null;
}

import type pg from 'pg';
import type { BudgetThresholdCrossed } from '#account/budgets.js';
import { formatMoment } from '#calendar/instant.js';
import { laneOf } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import type { Page } from '#projections/views/account-reads.js';
import { comparisonFor } from '#projections/views/pages.js';
import type { Order, PageQuery } from '#web/query.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import { NOTIFICATIONS } from '#projections/projections/notifications.projection.js';
import type { DeliveryReads } from './delivery-reads.js';
import type { DeliveryView } from './delivery-view.js';

/** One threshold that was crossed, with the deliveries of its alert. */
export interface AlertView {
  readonly budget_id: string;
  readonly period: string;
  readonly threshold: number;
  readonly limit_credits: number;
  readonly spent_credits: number;
  readonly call_id: string | null;
  readonly at: string;
  readonly deliveries: readonly DeliveryView[];
}

// Rows and the log's tail, in one statement and so in one snapshot: always current.
const CROSSED = (order: Order): string => `
with projected as (
  select coalesce((select position from checkpoint where projection = $4 and lane = $1), 0) as upto
)
select ${EVENT_COLUMNS} from (
  select e.* from notification n join event e using (lane, position)
   where n.lane = $1 and n.account_id = $2 and n.type = 'budget.threshold_crossed'
     and ($3::bigint is null or n.position ${comparisonFor(order)} $3)
  union all
  select e.* from event e, projected
   where e.lane = $1 and e.position > projected.upto
     and ($3::bigint is null or e.position ${comparisonFor(order)} $3) and e.account_id = $2
     and e.type = 'BudgetThresholdCrossed'
) e order by e.position ${order} limit $5`;

/** The alerts of an account's budgets. */
export class AlertReads {
  constructor(
    private readonly pool: pg.Pool,
    private readonly deliveries: DeliveryReads,
  ) {}

  /** Oldest first. Throws BadCursorError. */
  async list(accountId: string, query: PageQuery): Promise<Page<AlertView>> {
    const { after, limit, order } = query;
    const lane = laneOf(accountId);
    const position = after === undefined ? null : decodeNumberCursor(after);
    const { rows } = await this.pool.query<EventRow>({
      name: `alerts-crossed-${order}`,
      text: CROSSED(order),
      values: [lane, accountId, position, NOTIFICATIONS, limit + 1],
    });
    const crossed = rows.slice(0, limit).map(toStoredEvent);
    const positions = crossed.map((event) => event.position);
    const deliveries = await this.deliveries.ofEvents(lane, positions);
    const last = rows.length > limit ? positions.at(-1) : undefined;
    return {
      items: crossed.map((event) => {
        const data = JSON.parse(event.data) as BudgetThresholdCrossed;
        return alertView(data, event.at, deliveries.get(event.position) ?? []);
      }),
      next: last === undefined ? null : encodeCursor(last),
    };
  }
}

function alertView(
  data: BudgetThresholdCrossed,
  at: number,
  deliveries: readonly DeliveryView[],
): AlertView {
  return {
    budget_id: data.budget_id,
    period: data.period,
    threshold: data.threshold,
    limit_credits: data.limit,
    spent_credits: data.spent,
    call_id: data.call_id,
    at: formatMoment(at),
    deliveries,
  };
}

import type { Attempt, Delivery, DeliveryStatus } from './delivery.js';

const MS = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

/** Columns of a delivery as `toDelivery` reads them, of the table `delivery` as `d`. */
export const DELIVERY_COLUMNS = `d.id, d.receiver, d.account_id, d.lane, d.position, d.type,
  d.profile_id, d.ordinal, d.status, d.tries, ${MS('d.next_at')} as next_ms,
  ${MS('d.created_at')} as created_ms`;

export interface DeliveryRow {
  readonly id: string;
  readonly receiver: string;
  readonly account_id: string | null;
  readonly lane: number | null;
  readonly position: number | null;
  readonly type: string;
  readonly profile_id: string | null;
  readonly ordinal: number | null;
  readonly status: DeliveryStatus;
  readonly tries: number;
  readonly next_ms: number | null;
  readonly created_ms: number;
}

export function toDelivery(row: DeliveryRow): Delivery {
  const { account_id, profile_id, next_ms, created_ms, ...same } = row;
  return {
    ...same,
    accountId: account_id,
    profileId: profile_id,
    nextAt: next_ms === null ? null : Math.floor(next_ms),
    createdAt: Math.floor(created_ms),
  };
}

/** Columns of an attempt as `toAttempt` reads them, under the alias `a`. */
export const ATTEMPT_COLUMNS = `a.id, a.delivery_id, ${MS('a.at')} as at_ms, a.duration_ms,
  a.outcome, a.status, a.detail`;

export interface AttemptRow {
  readonly id: string;
  readonly delivery_id: string;
  readonly at_ms: number;
  readonly duration_ms: number;
  readonly outcome: 'delivered' | 'failed';
  readonly status: number | null;
  readonly detail: string | null;
}

export function toAttempt({
  id,
  at_ms,
  duration_ms,
  outcome,
  status,
  detail,
}: AttemptRow): Attempt {
  return { id, at: Math.floor(at_ms), durationMs: duration_ms, outcome, status, detail };
}

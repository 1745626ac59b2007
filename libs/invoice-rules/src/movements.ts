import type { AccountEvent } from '#account/events.js';
import type { GrantMovement, MonthFacts, Movement, VoidMovement } from './month-facts.js';

/** An event as what it moves; nothing for one that moves nothing, and for calls. */
export function movementsOf(event: AccountEvent): Movement[] {
  const { at } = event;
  if (event.type === 'CreditsGranted') {
    const { grant: ordinal, grant_id: id, kind, credits, price, invoiced } = event.data;
    const isAtOnce = invoiced === 'at_once';
    return [{ type: 'granted', at, ordinal, id, kind, credits, price, isAtOnce }];
  }
  if (event.type === 'Adjusted') {
    const { grant: ordinal, grant_id: id, credits, reason, call_id: callId } = event.data;
    return [{ type: 'adjusted', at, ordinal, id, credits, reason, callId }];
  }
  if (event.type === 'GrantExpired') {
    return [{ type: 'expired', at, ordinal: event.data.grant, credits: event.data.credits }];
  }
  if (event.type !== 'GrantVoided') return [];
  const { grant: ordinal, credits, left, refund, refund_by: refundBy } = event.data;
  return [{ type: 'voided', at, ordinal, credits, left, refund, refundBy }];
}

/** Whether a void takes a purchase, or a part of it, off an invoice that is still to be made. */
export function isUnbilled({ refundBy }: VoidMovement): boolean {
  return refundBy === 'lower_invoice' || refundBy === 'no_invoice';
}

/**
 * Voids, of the events after a month's close, that took purchases off its invoice before that was
 * made: there is none after it.
 */
export function voidedSince(
  movements: readonly Movement[],
  later: readonly AccountEvent[],
): Pick<MonthFacts, 'voidedSince'> {
  const monthly = new Set(movements.filter(isMonthly).map(({ ordinal }) => ordinal));
  const voids = later
    .flatMap(movementsOf)
    .filter((one) => one.type === 'voided')
    .filter((one) => isUnbilled(one) && monthly.has(one.ordinal));
  return voids.length > 0 ? { voidedSince: voids } : {};
}

/** Whether a movement is a purchase that its month's invoice bills. */
export function isMonthly(movement: Movement): movement is GrantMovement {
  return movement.type === 'granted' && movement.price !== null && movement.isAtOnce !== true;
}

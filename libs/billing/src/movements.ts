import type { AccountEvent } from '#account/events.js';
import type { Movement } from './month-facts.js';

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

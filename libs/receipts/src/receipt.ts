import { formatMoment } from '#calendar/instant.js';
import type { FoundCall } from '#projections/chain/call-places.js';

/**
 * The content of a receipt as JSON: of the event alone, so that it is the same whenever it is
 * written. Nothing in it but the key needs to be escaped.
 */
export function receiptText({ accountId, charged, place }: FoundCall): string {
  const { callId, at, call } = charged;
  return (
    `{"call_id":"${callId}","account_id":"${accountId}","at":"${formatMoment(at)}",` +
    `"key":${JSON.stringify(call.key)},"credits_used":${call.cost[0] + call.cost[1]},` +
    `"balance":${call.balance},"account_version":${place.version},` +
    `"account_head":"${place.head}"}`
  );
}

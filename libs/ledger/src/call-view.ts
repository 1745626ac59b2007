import type { CallMade } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import { formatMoment } from '#calendar/instant.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { CallView } from './account-reads.js';

/** A stored call as its account's holder reads it. */
export function callView(stored: StoredEvent, account: AccountState): CallView {
  const call = JSON.parse(stored.data) as CallMade;
  const [callCost, dataCost] = call.cost;
  return {
    call_id: stored.callId ?? '',
    at: formatMoment(stored.at),
    key: call.key,
    kind: call.kind,
    call_cost: callCost,
    data_cost: dataCost,
    credits_used: callCost + dataCost,
    balance_after: call.balance,
    api_key_id: account.apiKeys[call.api_key - 1]?.id ?? '',
    tags: call.tags ?? null,
  };
}

import type { CallMade } from '#account/calls.js';
import { formatMoment } from '#calendar/instant.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { CallView, GrantCallView } from '../views/account-reads.js';
import type { ApiKeyIds } from './api-keys.js';

/** Shows a stored call as its account's holder reads it. */
export function callView(apiKeys: ApiKeyIds): (stored: StoredEvent) => CallView {
  return (stored) => viewOf(stored, JSON.parse(stored.data) as CallMade, apiKeys);
}

/** The same, with what the call drew on a grant of an ordinal. */
export function grantCallView(
  apiKeys: ApiKeyIds,
  { ordinal }: { readonly ordinal: number },
): (stored: StoredEvent) => GrantCallView {
  return (stored) => {
    const call = JSON.parse(stored.data) as CallMade;
    const drawn = call.draws.find(([grant]) => grant === ordinal)?.[1] ?? 0;
    return { ...viewOf(stored, call, apiKeys), credits_drawn: drawn };
  };
}

function viewOf(stored: StoredEvent, call: CallMade, apiKeys: ApiKeyIds): CallView {
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
    api_key_id: apiKeys.get(call.api_key) ?? '',
    tags: tagsOf(call),
  };
}

/** Null where there are none, or all were erased. */
function tagsOf({ tags }: CallMade): CallView['tags'] {
  return tags === undefined || Object.keys(tags).length === 0 ? null : tags;
}

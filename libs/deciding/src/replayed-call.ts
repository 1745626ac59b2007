import type { QuoteOutcome, QuoteRequest } from '#account/charging.js';
import { accountEvent } from '#account/events.js';
import { refuseReplayedCall } from '#account/replay.js';
import type { AccountState } from '#account/state.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import { adjustmentIdOf } from './command-id.js';

/**
 * The answer that a used idempotency key would replay; undefined if the key is unused, so that the
 * call has a price.
 */
export async function replayedCall(
  log: Pick<EventLog, 'findCalls'>,
  state: AccountState,
  { accountId, apiKey, named }: QuoteRequest,
  now: number,
): Promise<QuoteOutcome | undefined> {
  if (named === undefined || apiKey === null) return undefined;
  const { callId, asked } = named;
  const lane = laneOf(accountId);
  const references = [callId, adjustmentIdOf(callId)].map((id) => ({ lane, callId: id }));
  const found = await log.findCalls(references);
  const stored = found.find((event) => event.callId === callId);
  if (stored === undefined) return undefined;
  const first = accountEvent(stored.type, stored.at, stored.data);
  const refusal = refuseReplayedCall(
    state,
    first,
    { callId, apiKey, asked },
    found.length > 1,
    now,
  );
  if (refusal !== null) return { outcome: 'refused', refusal };
  if (first.type !== 'CallMade') throw new Error(`Command ${callId} made no call.`);
  const balance = state.overdraft === null ? null : first.data.balance;
  const made = { callId, at: first.at, call: first.data, balance };
  return { outcome: 'quoted', items: [], balance, first: made };
}

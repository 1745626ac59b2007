import { accountEvent } from '#account/events.js';
import { namesChange, type Refusal } from '#account/refusal.js';
import { keyConflict } from '#account/replay.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import type { FindCorrection } from './correction-under.js';

/**
 * The refusal of a correction whose idempotency key named another change already; null if it did
 * not. `id`: the correction that is asked for.
 */
export async function refuseUsedKey(
  log: Pick<EventLog, 'findCalls'>,
  correctionUnder: FindCorrection,
  accountId: string,
  commandId: string,
  id: string,
): Promise<Refusal | null> {
  const [first] = await log.findCalls([{ lane: laneOf(accountId), callId: commandId }]);
  if (first !== undefined) {
    return keyConflict(accountEvent(first.type, first.at, first.data), commandId);
  }
  const earlier = await correctionUnder(accountId, commandId);
  return earlier === undefined || earlier.id === id ? null : namesChange(earlier);
}

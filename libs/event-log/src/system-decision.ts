import { SYSTEM_ACCOUNT, SYSTEM_LANE, type NewEvent, type StoredEvent } from './event-log.js';
import type { FoldedView } from './fold.js';
import { hashEvent } from './hash-chain.js';

/** An event of the system as it is decided: its version and hash follow from where it is put. */
export interface SystemDecision {
  /** The command's id, under which it is never appended twice, or null. */
  readonly callId: string | null;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: object;
}

/** The events of these decisions, at the end of the chain whose head is given. */
export function newEvents(
  decisions: readonly SystemDecision[],
  head: Pick<FoldedView<string>, 'at' | 'value'>,
): NewEvent[] {
  let hash = head.value;
  return decisions.map(({ callId, type, at, data }, index) => {
    const event = {
      accountId: SYSTEM_ACCOUNT,
      accountVersion: head.at + 1 + index,
      callId,
      type,
      at,
      data: JSON.stringify(data),
    };
    hash = hashEvent(hash, event);
    return { ...event, hash };
  });
}

/** Positions and versions of the system's stream are one and the same. */
export function stored({ hash: _hash, ...event }: NewEvent): StoredEvent {
  return { ...event, lane: SYSTEM_LANE, position: event.accountVersion };
}

export function isSame(event: NewEvent, found: StoredEvent | undefined): boolean {
  const { callId, type, at, data } = event;
  if (found?.callId !== callId || found.type !== type) return false;
  return found.at === at && found.data === data;
}

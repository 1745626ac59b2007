import { askedPath } from '#rating/resource-key.js';
import type { ChargeRequest } from './charging.js';
import type { Command } from './commands.js';
import { refuseCaller } from './decide-call.js';
import type { AccountEvent } from './events.js';
import { namesChange, type Refusal } from './refusal.js';
import { type AccountState, momentOf } from './state.js';

/** How long an idempotency key returns the first answer. */
export const REPLAY_MS = 10 * 60 * 1000;

/** The refusal of a request whose idempotency key has named `first`, under the id `callId`. */
export function keyConflict(first: AccountEvent, callId: string): Refusal {
  if (first.type !== 'CallMade') return namesChange(first);
  const { at, data } = first;
  const request = `GET ${askedPath(data.key, data.asked)}`;
  return { reason: 'idempotency-conflict', callId, first: { at, request } };
}

function replayCall(
  state: AccountState,
  first: Extract<AccountEvent, { type: 'CallMade' }>,
  callId: string,
  asked: string,
  now: number,
): Refusal | null {
  if (askedPath(first.data.key, first.data.asked) !== asked) return keyConflict(first, callId);
  const age = momentOf(state, now) - first.at;
  return age > REPLAY_MS ? { reason: 'idempotency-key-used', callId } : null;
}

/**
 * The refusal of a call whose id is in the log already, as `refuseReplay` has it for any command.
 */
export function refuseReplayedCall(
  state: AccountState,
  first: AccountEvent,
  { callId, apiKey, asked }: Pick<ChargeRequest, 'callId' | 'apiKey' | 'asked'>,
  adjusted: boolean,
  now: number,
): Refusal | null {
  const caller = refuseCaller(state, apiKey, momentOf(state, now));
  if (caller !== null) return caller;
  if (first.type !== 'CallMade') return keyConflict(first, callId);
  const refusal = replayCall(state, first, callId, asked, now);
  return refusal ?? (adjusted ? { reason: 'idempotency-key-used', callId } : null);
}

/**
 * The refusal of a command whose id is in the log already; null if the first answer may be returned
 * again. `adjusted`: the call was refunded since, so its answer is not sold twice.
 */
export function refuseReplay(
  state: AccountState,
  first: AccountEvent,
  command: Command,
  callId: string,
  adjusted: boolean,
  now: number,
): Refusal | null {
  if (command.command === 'make-call') {
    const { apiKey, asked } = command.request;
    return refuseReplayedCall(state, first, { callId, apiKey, asked }, adjusted, now);
  }
  if (!('origin' in command)) return null;
  const same = 'input' in first.data && first.data.input === command.origin.input;
  return same ? null : keyConflict(first, callId);
}

/** True if a call is returned to another request than the one that made it. */
export function isReplayed(event: AccountEvent, command: Command): boolean {
  if (event.type !== 'CallMade' || command.command !== 'make-call') return false;
  return event.data.request !== command.request.requestId;
}

/**
 * Whether an event is what this very request leads to, so that its caller may be answered with it
 * as if it had just been decided: what was prepared for the caller is what the event charges.
 */
export function isOwnEvent(event: AccountEvent, command: Command): boolean {
  if ('origin' in command) {
    return 'input' in event.data && event.data.input === command.origin.input;
  }
  if (event.type !== 'CallMade' || command.command !== 'make-call') return false;
  const { key, asked, release, apiKey, requestId } = command.request;
  const { data } = event;
  return (
    data.request === requestId &&
    data.key === key &&
    askedPath(data.key, data.asked) === asked &&
    data.release === release &&
    data.api_key === apiKey
  );
}

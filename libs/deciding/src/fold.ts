import { callText } from '#account/call-text.js';
import type { Command } from '#account/commands.js';
import type { Terms } from '#account/decide-call.js';
import { decide, type Decision } from '#account/decide.js';
import { accountEvent, type AccountEvent } from '#account/events.js';
import { withHead } from '#account/months.js';
import type { Refusal } from '#account/refusal.js';
import { isOwnEvent, isReplayed, refuseReplay } from '#account/replay.js';
import { type AccountState, recall } from '#account/state.js';
import { laneOf, type NewEvent, type StoredEvent } from '#event-log/event-log.js';
import { hashEvent } from '#event-log/hash-chain.js';
import type { LoadedAccount } from '#projections/snapshots/account-row.js';
import { adjustmentIdOf, replayIdOf } from './command-id.js';
import { accountAfter, undo, type AppliedCall } from '#projections/snapshots/own-account.js';
import { refuseUnmet } from './precondition.js';
import { type Known, readAhead } from './read-ahead.js';
import type { Answer, Pending } from './submission.js';

/** One lane's part of a batch: all or nothing of it is written. */
export interface LaneBatch {
  readonly lane: number;
  readonly events: NewEvent[];
  /** Accounts as they will stand once the events are committed, but for those changed in place. */
  readonly accounts: Map<string, LoadedAccount>;
  /** Calls that accounts hold already: taken back where the events are not written. */
  readonly applied: AppliedCall[];
  /** Accounts that have opened a key where they stand. */
  readonly grown: string[];
  readonly answers: { readonly pending: Pending; readonly answer: Answer<AccountState> }[];
}

export interface FoldedBatch {
  readonly lanes: Map<number, LaneBatch>;
  /** Commands about a call that stands in the batch already: they wait for the first one's fate. */
  readonly deferred: Pending[];
}

/** Whoever gives a call back has found it in the log, which may have gone back since. */
export const LOST_CALL: Refusal = {
  reason: 'not-found',
  detail: 'The log does not hold the call any more.',
};

/** Of nearly all commands. */
const NONE: readonly string[] = [];

/**
 * Decides commands one after the other; nothing is written. Of committed states only those of
 * `OwnAccount`s change, by the calls in `applied`, and none where this throws.
 */
export function fold(
  batch: readonly Pending[],
  known: Known,
  now: number,
  terms: Terms,
): FoldedBatch {
  const folded: FoldedBatch = { lanes: new Map(), deferred: [] };
  try {
    foldAll(folded, batch, known, now, terms);
  } catch (error) {
    for (const { applied } of folded.lanes.values()) undo(applied);
    throw error;
  }
  return folded;
}

function foldAll(
  folded: FoldedBatch,
  batch: readonly Pending[],
  known: Known,
  now: number,
  terms: Terms,
): void {
  const seen = new Set<string>();
  let read = 0;
  for (const [index, pending] of batch.entries()) {
    if (index === read) read = readAhead(batch, index, known);
    const { accountId, command, callId } = pending.submission;
    const corrected = correctedCalls(command);
    if (seen.has(callId) || corrected.some((id) => seen.has(id))) {
      pending.isRetry = true;
      folded.deferred.push(pending);
      continue;
    }
    seen.add(callId);
    for (const id of corrected) seen.add(id);
    const lane = laneBatch(folded, laneOf(accountId));
    lane.answers.push({ pending, answer: foldOne(lane, pending, known, now, terms) });
  }
}

/**
 * The calls that a command gives back. A retry of such a call in the same batch would be answered
 * as if it were not, or be given back although it was just answered.
 */
export function correctedCalls(command: Command): readonly string[] {
  if (command.command === 'make-call') return NONE;
  if (command.command === 'resolve-dispute') return command.giveBack?.callIds ?? NONE;
  const id = correctedCall(command);
  return id === undefined ? NONE : [id];
}

function correctedCall(command: Command): string | undefined {
  if (command.command === 'record-billing') return command.callId;
  return command.command === 'adjust-credits' ? command.call?.callId : undefined;
}

function laneBatch(folded: FoldedBatch, lane: number): LaneBatch {
  const existing = folded.lanes.get(lane);
  if (existing !== undefined) return existing;
  const accounts = new Map<string, LoadedAccount>();
  const fresh: LaneBatch = { lane, events: [], accounts, applied: [], grown: [], answers: [] };
  folded.lanes.set(lane, fresh);
  return fresh;
}

function foldOne(
  lane: LaneBatch,
  pending: Pending,
  known: Known,
  now: number,
  terms: Terms,
): Answer<AccountState> {
  const { submission } = pending;
  const { accountId, callId, command, skipIfLogged, precondition } = submission;
  const committed = known.account(accountId);
  const before = lane.accounts.get(accountId) ?? committed;
  if (skipIfLogged !== undefined && known.first(skipIfLogged) !== undefined) {
    return { refusal: { reason: 'too-late' } };
  }
  const first = pending.isRetry ? known.first(callId) : undefined;
  if (first !== undefined) return replay(lane, before, first, pending, known, now, terms);
  const state = informed(before.state, committed.state, command);
  const moved = refuseCorrection(state, command, known);
  if (moved !== null) return { refusal: moved };
  const unmet = precondition && ((current: AccountState) => refuseUnmet(current, precondition));
  const decision = decide(state, command, now, terms, unmet);
  const account = state === before.state ? before : { state, head: before.head };
  const after = record(lane, accountId, account, decision, callId);
  if (decision.refusal !== null) return { refusal: decision.refusal, test: state.test };
  const { own } = decision;
  if (own === null) return { refusal: null, event: null, state: after.state, replayed: false };
  const event = decision.events[own] ?? null;
  const answer = { refusal: null, event, state: after.state, replayed: false };
  if (command.command !== 'make-call' || command.request.wantsPlace !== true) return answer;
  const written = lane.events.at(own - decision.events.length);
  return written === undefined
    ? answer
    : { ...answer, place: { version: written.accountVersion, head: written.hash } };
}

/** Calls to give back stand in the log; a dispute gives none back that somebody else has. */
function refuseCorrection(
  { billing: { version } }: AccountState,
  command: Command,
  known: Known,
): Refusal | null {
  const corrected = correctedCalls(command);
  if (corrected.some((id) => known.first(id) === undefined)) return LOST_CALL;
  if (command.command !== 'resolve-dispute' || !corrected.some((id) => known.adjusted(id)))
    return null;
  return { reason: 'billing-moved', version };
}

/** Adds what was decided to the lane's part of the batch; answers the account as it stands then. */
function record(
  lane: LaneBatch,
  accountId: string,
  before: LoadedAccount,
  { events, own }: Decision,
  callId: string,
): LoadedAccount {
  let after = before;
  for (const [index, decided] of events.entries()) {
    const event = withHead(decided, after.head);
    const created = {
      accountId,
      accountVersion: after.state.version + 1,
      callId: index === own ? callId : ownIdOf(event),
      type: event.type,
      at: event.at,
      data: event.type === 'CallMade' ? callText(event.data) : JSON.stringify(event.data),
      hash: '',
    };
    created.hash = hashEvent(after.head, created);
    lane.events.push(created);
    after = accountAfter(after, event, created.hash, lane.applied);
    if (event.type === 'CallMade' && event.data.kind === 'base') lane.grown.push(accountId);
  }
  if (after !== before) lane.accounts.set(accountId, after);
  return after;
}

/** An event beside the command's own one is found by an id of its own. */
function ownIdOf({ type, data }: AccountEvent): string | null {
  if (type === 'Adjusted' && data.call_id !== null) return adjustmentIdOf(data.call_id);
  return type === 'CreditNoteSealed' ? data.credit_note_id : null;
}

/**
 * A call that turned the window earlier in the batch has dropped the keys of the window that ended,
 * also those that were looked up for this batch: what was known before it still holds.
 */
function informed(state: AccountState, committed: AccountState, command: Command): AccountState {
  if (state === committed || command.command !== 'make-call') return state;
  const { key } = command.request;
  return !state.opened.has(key) && committed.opened.has(key) ? recall(state, [key]) : state;
}

function replay(
  lane: LaneBatch,
  account: LoadedAccount,
  first: StoredEvent,
  { submission, uncertainSinceHead }: Pending,
  known: Known,
  now: number,
  terms: Terms,
): Answer<AccountState> {
  const { accountId, callId, command } = submission;
  const event = accountEvent(first.type, first.at, first.data);
  const adjusted = known.adjusted(callId);
  // One whose own commit was lost from sight is no retry: it was decided when nothing stood against
  // it, and its caller has had no answer yet. Refused now, it would be charged for nothing.
  if (uncertainSinceHead !== null && !adjusted && isOwnEvent(event, command)) {
    return { refusal: null, event, state: account.state, replayed: false };
  }
  const refusal = refuseReplay(account.state, event, command, callId, adjusted, now);
  if (refusal !== null) return { refusal };
  let after = account;
  // Before it is answered, so that whoever made the call no longer has it given back.
  if (isReplayed(event, command) && !known.replayed(callId)) {
    const decision = decide(account.state, { command: 'replay-call', callId }, now, terms);
    after = record(lane, accountId, account, decision, replayIdOf(callId));
  }
  return { refusal: null, event, state: after.state, replayed: true };
}

import type { AdjustCredits, CreditsAdjusted } from '#account/adjustments.js';
import type { CreditNoteSealed } from '#account/billing-events.js';
import type { RecordBilling } from '#account/billing.js';
import { namesChange, type Refusal } from '#account/refusal.js';
import { momentOf } from '#account/state.js';
import { formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import type { FindCorrection } from '#deciding/changes/correction-under.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import { refuseUsedKey } from '#deciding/changes/used-key.js';
import { adjustmentIdOf } from '#deciding/command-id.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { readBilling, type AccountBilling } from '#projections/invoices/account-billing.js';
import type { AccountReads, CallExplanation } from '#projections/views/account-reads.js';
import { found, problem, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import type { BillingChangesParts } from './billing-changes.js';
import type { Numbering } from './numbering.js';
import { drawGiveBack, type ChargedCall } from './drawn-give-back.js';

export interface GiveBacksParts extends BillingChangesParts {
  readonly calls: Pick<AccountReads, 'call'>;
  readonly numbering: Pick<Numbering, 'number'>;
  /** The call that was given back under a command of an operator. */
  readonly correctionUnder: FindCorrection;
}

/** A call that was given back, and by what. */
export interface CallGivenBack {
  readonly call_id: string;
  /** Its charge: all of it is given back. */
  readonly credits: number;
  readonly instrument: 'adjustment' | 'credit_note' | 'both';
  readonly adjustment_id: string | null;
  readonly adjusted_credits: number;
  readonly credit_note_id: string | null;
  /** Null while numbers wait. */
  readonly credit_note_number: string | null;
  readonly credited_credits: number;
  readonly at: string;
}

/** A command without its origin, which the change adds. */
type Command = Omit<AdjustCredits, 'origin'> | Omit<RecordBilling, 'origin'>;

const ATTEMPTS_MAX = 20;

/**
 * Gives calls back, each once and whole: the part that a month has billed by a credit note, the
 * rest by an adjustment. Both are one append, under an id that follows from the call, so that the
 * log itself refuses a second time.
 */
export class GiveBacks {
  constructor(private readonly parts: GiveBacksParts) {}

  /** Throws a ProblemException: `conflict` where the call was given back or credited before. */
  async giveBack(
    callId: string,
    change: Change,
    reason: string,
  ): Promise<ChangeResult<CallGivenBack>> {
    const call = found(await this.parts.calls.call(null, callId), 'call');
    const { id: commandId } = this.parts.changes.of(call.account_id, change);
    const earlier = await this.find(call.account_id, adjustmentIdOf(call.call_id));
    if (earlier !== undefined) return this.repeat(call, earlier, commandId, change);
    const { log, correctionUnder } = this.parts;
    const id = adjustmentIdOf(call.call_id);
    const used = await refuseUsedKey(log, correctionUnder, call.account_id, commandId, id);
    if (used !== null) throw new ProblemException(refusalProblem(used));
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const refusal = await this.attempt(call, commandId, change, reason);
      if (refusal === null) return this.made(call, false);
      if (refusal.reason === 'billing-moved') continue;
      const first = await this.find(call.account_id, adjustmentIdOf(call.call_id));
      if (first !== undefined) return this.repeat(call, first, commandId, change);
      throw new ProblemException(refusalProblem(refusal));
    }
    throw new ProblemException(refusalProblem({ reason: 'billing-moved', version: 0 }));
  }

  /** Null once it is durable. */
  private async attempt(
    call: CallExplanation,
    commandId: string,
    change: Change,
    reason: string,
  ): Promise<Refusal | null> {
    const { account_id: accountId, call_id: callId } = call;
    const billing = await readBilling(this.parts.pool, accountId);
    refuseCredited(billing, callId);
    const command = await this.decide(call, billing, commandId, reason);
    const asked = { ...change, ifMatch: undefined, reason };
    const giveBack = this.parts.changes.of(accountId, asked, adjustmentIdOf(callId));
    return (await giveBack.trySubmit(command)).refusal;
  }

  private async decide(
    call: CallExplanation,
    billing: AccountBilling,
    commandId: string,
    reason: string,
  ): Promise<Command> {
    const { calendar, clock, loader } = this.parts;
    const { call_id: callId, credits_used: charged } = call;
    const state = await knownAccount(loader, call.account_id);
    const issueDate = calendar.dayAt(momentOf(state, clock.now())).label;
    const noteIdOf = () => commandId;
    const drawn = await drawGiveBack(this.parts, [chargedCall(call)], billing, {
      noteIdOf,
      issueDate,
      reason,
    });
    const adjusted = drawn.adjusted.get(callId) ?? 0;
    const record = drawn.notes[0] ?? null;
    const { version: after } = billing;
    if (adjusted === 0 && record !== null) {
      return { command: 'record-billing', after, record, callId };
    }
    return {
      command: 'adjust-credits',
      credits: adjusted,
      call: { callId, charged },
      grantId: commandId,
      billing: { after, note: record },
    };
  }

  /** The same answer to a retry under the same key; else a call is given back once. */
  private async repeat(
    call: CallExplanation,
    first: StoredEvent,
    commandId: string,
    { input }: Change,
  ): Promise<ChangeResult<CallGivenBack>> {
    const data = JSON.parse(first.data) as Partial<CreditsAdjusted & CreditNoteSealed>;
    if (data.input === input) return this.made(call, true);
    const isSameKey = data.grant_id === commandId || data.credit_note_id === commandId;
    const refusal: Refusal = isSameKey
      ? namesChange(first)
      : { reason: 'conflict', detail: 'The call was given back already: nothing of it is left.' };
    throw new ProblemException(refusalProblem(refusal));
  }

  private async made(
    call: CallExplanation,
    replayed: boolean,
  ): Promise<ChangeResult<CallGivenBack>> {
    const { account_id: accountId, call_id: callId, credits_used: credits } = call;
    const event = found(await this.find(accountId, adjustmentIdOf(callId)), 'adjustment');
    const isAdjusted = event.type === 'Adjusted';
    const adjusted = isAdjusted ? (JSON.parse(event.data) as CreditsAdjusted).credits : 0;
    const note = noteOf(await readBilling(this.parts.pool, accountId), callId);
    const id = note?.data.credit_note_id ?? null;
    const numbers =
      note === undefined ? null : await this.parts.numbering.number([{ accountId, ...note }]);
    const view: CallGivenBack = {
      call_id: callId,
      credits,
      instrument: note === undefined ? 'adjustment' : isAdjusted ? 'both' : 'credit_note',
      adjustment_id: isAdjusted ? adjustmentIdOf(callId) : null,
      adjusted_credits: adjusted,
      credit_note_id: id,
      credit_note_number: (id !== null && numbers?.get(id)?.number) || null,
      credited_credits: credits - adjusted,
      at: formatMoment(event.at),
    };
    return { view, replayed };
  }

  private async find(accountId: string, callId: string): Promise<StoredEvent | undefined> {
    return (await this.parts.log.findCalls([{ lane: laneOf(accountId), callId }]))[0];
  }
}

function chargedCall(call: CallExplanation): ChargedCall {
  return {
    callId: call.call_id,
    charged: call.credits_used,
    uncovered: call.overdraft_credits,
    at: Date.parse(call.at),
    version: call.log.account_version,
  };
}

/** The credit note that names a call. */
export function noteOf({ events }: AccountBilling, callId: string) {
  const notes = events.filter((event) => event.type === 'CreditNoteSealed');
  return notes.find(({ data }) => data.lines.some(([, , of]) => of === callId));
}

function refuseCredited(billing: AccountBilling, callId: string): void {
  const note = noteOf(billing, callId);
  if (note === undefined) return;
  const detail = `Credit note ${note.data.credit_note_id} has given the call back already: nothing of it is left.`;
  throw new ProblemException(problem('conflict', detail));
}

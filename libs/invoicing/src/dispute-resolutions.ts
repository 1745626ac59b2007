import { type CallMade, uncoveredOf } from '#account/calls.js';
import type { DisputeOutcome, ResolveDispute } from '#account/disputes.js';
import { momentOf } from '#account/state.js';
import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import { adjustmentIdOf } from '#deciding/command-id.js';
import { laneOf } from '#event-log/event-log.js';
import { readBilling, type AccountBilling } from '#projections/invoices/account-billing.js';
import type { DisputeReads } from '#projections/reads/dispute-reads.js';
import type { DisputeView } from '#projections/views/dispute-view.js';
import { found, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { uuidOfParts } from '#web/uuid.js';
import type { BillingChangesParts } from './billing-changes.js';
import { drawGiveBack, type ChargedCall } from './drawn-give-back.js';
import { noteOf } from './give-backs.js';
import type { Numbering } from './numbering.js';

export interface DisputeResolutionsParts extends BillingChangesParts {
  readonly disputes: Pick<DisputeReads, 'one'>;
  readonly numbering: Pick<Numbering, 'number'>;
}

/** The answer of an operator. */
export interface Resolution {
  readonly outcome: DisputeOutcome;
  readonly answer: string;
}

type ReturnedCredits = Pick<ResolveDispute, 'credits' | 'giveBack'>;

const ATTEMPTS_MAX = 20;
const NOTHING: ReturnedCredits = { credits: 0, giveBack: null };

/**
 * Answers disputes. What is accepted is given back in the same append: each call once and whole,
 * but for those that were given back before.
 */
export class DisputeResolutions {
  constructor(private readonly parts: DisputeResolutionsParts) {}

  /** Throws a ProblemException: `conflict` where the dispute is resolved already. */
  async resolve(
    disputeId: string,
    change: Change,
    { outcome, answer }: Resolution,
  ): Promise<ChangeResult<DisputeView>> {
    const dispute = found(await this.parts.disputes.one(null, disputeId), 'dispute');
    const { account_id: accountId } = dispute;
    const made = this.parts.changes.of(accountId, { ...change, reason: answer });
    const isDue = outcome === 'accepted' && dispute.status === 'open';
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const returned = isDue ? await this.draw(dispute, made.id, answer) : NOTHING;
      const command = { command: 'resolve-dispute', disputeId, outcome, ...returned } as const;
      const { refusal, ...done } = await made.trySubmit(command);
      if (refusal === null && 'replayed' in done) {
        await this.number(accountId, returned);
        const view = found(await this.parts.disputes.one(accountId, disputeId), 'dispute');
        return { view, replayed: done.replayed };
      }
      if (refusal !== null && refusal.reason !== 'billing-moved') {
        throw new ProblemException(refusalProblem(refusal));
      }
    }
    throw new ProblemException(refusalProblem({ reason: 'billing-moved', version: 0 }));
  }

  /** The rest of a dispute's calls that can be given back, as the account stands now. */
  private async draw(
    dispute: DisputeView,
    commandId: string,
    reason: string,
  ): Promise<ReturnedCredits> {
    const { pool, loader, calendar, clock } = this.parts;
    const { account_id: accountId } = dispute;
    const billing = await readBilling(pool, accountId);
    const calls = await this.callsLeft(dispute, billing);
    const state = await knownAccount(loader, accountId);
    const issueDate = calendar.dayAt(momentOf(state, clock.now())).label;
    const noteIdOf = (invoiceId: string) => uuidOfParts('dispute-note', commandId, invoiceId);
    const { notes, adjusted } = await drawGiveBack(this.parts, calls, billing, {
      noteIdOf,
      issueDate,
      reason,
    });
    const adjustments = calls.flatMap(({ callId, charged }) => {
      const credits = adjusted.get(callId) ?? 0;
      const call = { callId, charged };
      return credits > 0 ? [{ call, credits, grantId: adjustmentIdOf(callId) }] : [];
    });
    const callIds = calls.map(({ callId }) => callId);
    return {
      credits: calls.reduce((sum, { charged }) => sum + charged, 0),
      giveBack: { after: billing.version, notes, adjustments, callIds },
    };
  }

  private async callsLeft(
    { account_id: accountId, call_ids: ids }: DisputeView,
    billing: AccountBilling,
  ): Promise<ChargedCall[]> {
    const lane = laneOf(accountId);
    const asked = ids.flatMap((id) => [id, adjustmentIdOf(id)]);
    const stored = await this.parts.log.findCalls(asked.map((callId) => ({ lane, callId })));
    const known = new Map(stored.map((event) => [event.callId, event]));
    return ids.flatMap((callId) => {
      const event = known.get(callId);
      const isGivenBack =
        known.has(adjustmentIdOf(callId)) || noteOf(billing, callId) !== undefined;
      if (event === undefined || isGivenBack) return [];
      const call = JSON.parse(event.data) as CallMade;
      const [callCost, dataCost] = call.cost;
      const charged = callCost + dataCost;
      const { at, accountVersion: version } = event;
      return [{ callId, charged, uncovered: uncoveredOf(call), at, version }];
    });
  }

  /** Credit notes get their numbers at once; where numbers wait, a worker does it later. */
  private async number(accountId: string, { giveBack }: ReturnedCredits): Promise<void> {
    const ids = new Set(giveBack?.notes.map(({ data }) => data.credit_note_id));
    if (ids.size === 0) return;
    const { events } = await readBilling(this.parts.pool, accountId);
    const sealed = events.flatMap((event) =>
      event.type === 'CreditNoteSealed' && ids.has(event.data.credit_note_id)
        ? [{ accountId, ...event }]
        : [],
    );
    await this.parts.numbering.number(sealed);
  }
}

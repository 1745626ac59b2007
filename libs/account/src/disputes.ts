import type { CreditNoteRecord } from './billing-events.js';
import { commanded, originOf, type EventsOf } from './event-type.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import type { Origin } from './terms.js';

// These names are the stored format: types and members may be added, never renamed or removed.

/** The customer asks for the charge of calls to be looked at; the origin's reason says why. */
export interface DisputeOpened extends Origin {
  readonly dispute_id: string;
  /** Calls of the account, each in at most one open dispute. */
  readonly call_ids: readonly string[];
  /** Charges of these calls together. */
  readonly credits: number;
}

export type DisputeOutcome = 'accepted' | 'rejected';

/** An operator has answered a dispute; the origin's reason is the answer. */
export interface DisputeResolved extends Origin {
  readonly dispute_id: string;
  readonly call_ids: readonly string[];
  readonly outcome: DisputeOutcome;
  /** Credits that were given back in the same append, in whichever way; 0: none. */
  readonly credits: number;
}

/** Disputes calls; the caller knows that they are the account's. */
export interface OpenDispute {
  readonly command: 'open-dispute';
  readonly origin: Origin;
  readonly disputeId: string;
  readonly callIds: readonly string[];
  /** Their charges together. */
  readonly credits: number;
}

/** Answers a dispute, and gives back what it accepts: all happens, or nothing. */
export interface ResolveDispute {
  readonly command: 'resolve-dispute';
  readonly origin: Origin & { readonly reason: string };
  readonly disputeId: string;
  readonly outcome: DisputeOutcome;
  /** Given back in all. */
  readonly credits: number;
  /** Null: nothing is given back. */
  readonly giveBack: {
    /** The account's `billing.version` that it was decided at. */
    readonly after: number;
    /** Take back the parts of the charges that were billed. */
    readonly notes: readonly CreditNoteRecord[];
    readonly adjustments: readonly {
      readonly call: { readonly callId: string; readonly charged: number };
      readonly credits: number;
      readonly grantId: string;
    }[];
    /** Calls that are given back, in whichever way. */
    readonly callIds: readonly string[];
  } | null;
}

/** Most calls that the open disputes of an account name together: its state holds them. */
export const DISPUTED_CALLS_MAX = 1_000;

/** Most open disputes of an account about requests that are none of its calls. */
export const UNCALLED_DISPUTES_MAX = 100;

export function openDispute(
  { disputes = [] }: AccountState,
  { origin, disputeId, callIds, credits }: OpenDispute,
  at: number,
): DisputeEvent | Refusal {
  const disputed = new Set(disputes.flatMap((dispute) => dispute.callIds));
  const twice = callIds.find((id) => disputed.has(id));
  if (twice !== undefined)
    return conflict(`Call ${twice} is in an open dispute already: leave it out of this one.`);
  if (disputed.size + callIds.length > DISPUTED_CALLS_MAX) {
    const left = Math.max(0, DISPUTED_CALLS_MAX - disputed.size);
    return conflict(
      `Open disputes name at most ${DISPUTED_CALLS_MAX} calls of an account: ${left} more can be named.`,
    );
  }
  const uncalled = disputes.filter((dispute) => dispute.callIds.length === 0);
  if (callIds.length === 0 && uncalled.length >= UNCALLED_DISPUTES_MAX) {
    return conflict(
      `At most ${UNCALLED_DISPUTES_MAX} open disputes name no call: name calls, or wait for an answer.`,
    );
  }
  const data = { ...origin, dispute_id: disputeId, call_ids: callIds, credits };
  return { type: 'DisputeOpened', at, data };
}

/** Only an open dispute is resolved, so that it is resolved once. */
export function resolveDispute(
  { disputes = [], billing: { version } }: AccountState,
  { origin, disputeId, outcome, credits, giveBack }: ResolveDispute,
  at: number,
): DisputeEvent | Refusal {
  const dispute = disputes.find(({ id }) => id === disputeId);
  if (dispute === undefined)
    return conflict('The dispute is resolved already: its answer stays; open another dispute.');
  if (giveBack !== null && giveBack.after !== version) return { reason: 'billing-moved', version };
  const data = { ...origin, dispute_id: disputeId, call_ids: dispute.callIds, outcome, credits };
  return { type: 'DisputeResolved', at, data };
}

const page = { kind: 'disputes' };

/** Complaints of customers about calls, and their answers. */
export const DISPUTE_EVENTS = {
  DisputeOpened: commanded<DisputeOpened, 'dispute.opened'>({
    opensMonth: false,
    effect: ({ disputes = [] }, { dispute_id: id, call_ids: callIds }) => ({
      disputes: [...disputes, { id, callIds }],
    }),
    command: (data): OpenDispute => ({
      command: 'open-dispute',
      origin: originOf(data),
      disputeId: data.dispute_id,
      callIds: data.call_ids,
      credits: data.credits,
    }),
    notification: {
      type: 'dispute.opened',
      data: ({ dispute_id, call_ids, credits }) => ({ dispute_id, call_ids, credits }),
    },
    page,
    story: {
      title: 'Dispute opened',
      details: ({ call_ids: calls }, { count }) => `about ${count(calls?.length, 'call')}`,
      tone: 'warn',
    },
  }),
  DisputeResolved: commanded<DisputeResolved, 'dispute.resolved'>({
    opensMonth: false,
    effect: ({ disputes = [] }, { dispute_id: resolved }) => {
      const open = disputes.filter(({ id }) => id !== resolved);
      return { disputes: open.length > 0 ? open : undefined };
    },
    command: (data): ResolveDispute => ({
      command: 'resolve-dispute',
      origin: { ...originOf(data), reason: data.reason ?? '' },
      disputeId: data.dispute_id,
      outcome: data.outcome,
      credits: data.credits,
      giveBack: null,
    }),
    notification: {
      type: 'dispute.resolved',
      data: ({ dispute_id, call_ids, outcome, credits }) => ({
        dispute_id,
        call_ids,
        outcome,
        credits,
      }),
    },
    page,
    story: {
      title: 'Dispute resolved',
      details: ({ outcome, credits }, write) =>
        outcome === 'accepted' ? `${write.credits(credits)} given back` : 'rejected',
    },
  }),
};

export type DisputeEvent = EventsOf<typeof DISPUTE_EVENTS>;

import type { DisputeOpened, DisputeResolved } from './dispute-events.js';
import { commanded, originOf } from './event-type.js';

const page = { kind: 'disputes' };

/** Complaints of customers about calls, and their answers. */
export const DISPUTE_EVENTS = {
  DisputeOpened: commanded<DisputeOpened, 'dispute.opened'>({
    opensMonth: false,
    effect: ({ disputes = [] }, { dispute_id: id, call_ids: callIds }) => ({
      disputes: [...disputes, { id, callIds }],
    }),
    command: (data) => ({
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
    command: (data) => ({
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

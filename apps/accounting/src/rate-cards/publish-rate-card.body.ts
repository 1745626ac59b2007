import { z } from 'zod';
import type { ProposedRateCard } from '#rating/publish-rate-card.js';
import { invalidBody } from '#web/body.js';
import { Reason } from '#rest/operation/reason.js';
import { cardFaults, membersOf, readMembers } from './body-faults.js';
import { callCost, rules, windowLabel } from './rate-card-schemas.js';

/** Body of `POST /rate-cards`, for those who read about it. */
export const publishRateCardBody = z.strictObject({
  effective_window: windowLabel.nullable().meta({
    description:
      'Label of the window that it begins with, which begins in 60 s or later; null: it prices ' +
      'only the accounts that name it.',
  }),
  call_cost: callCost,
  rules,
  reason: Reason.shape.reason,
});

export interface PublishRateCardBody {
  readonly proposed: ProposedRateCard;
  readonly reason: string | undefined;
}

/** Throws a ProblemException (`invalid-body`) with all faults at once. */
export function parsePublishRateCard(body: unknown): PublishRateCardBody {
  const { reason, ...card } = membersOf(body);
  const faults = cardFaults(card, ['effective_window', 'call_cost', 'rules']);
  const others = readMembers(Reason, reason === undefined ? {} : { reason }, faults);
  if (faults.length > 0) throw invalidBody(faults);
  return { proposed: card as unknown as ProposedRateCard, reason: others?.reason };
}

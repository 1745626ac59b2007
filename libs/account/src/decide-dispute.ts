import type { Calendar } from '#calendar/calendar.js';
import { evolveAll } from './advance.js';
import type { OpenDispute, ResolveDispute } from './dispute-commands.js';
import { adjustCredits } from './decide-credits.js';
import type { AccountEvent } from './events.js';
import { conflict, type Refusal } from './refusal.js';
import type { AccountState } from './state.js';

/** Most calls that the open disputes of an account name together: its state holds them. */
export const DISPUTED_CALLS_MAX = 1_000;
/** Most open disputes of an account about requests that are none of its calls. */
export const UNCALLED_DISPUTES_MAX = 100;

export function openDispute(
  { disputes = [] }: AccountState,
  { origin, disputeId, callIds, credits }: OpenDispute,
  at: number,
): AccountEvent | Refusal {
  const disputed = new Set(disputes.flatMap((dispute) => dispute.callIds));
  const twice = callIds.find((id) => disputed.has(id));
  if (twice !== undefined) return conflict(`Call ${twice} is in an open dispute already.`);
  if (disputed.size + callIds.length > DISPUTED_CALLS_MAX) {
    return conflict(`Open disputes name at most ${DISPUTED_CALLS_MAX} calls of an account.`);
  }
  const uncalled = disputes.filter((dispute) => dispute.callIds.length === 0);
  if (callIds.length === 0 && uncalled.length >= UNCALLED_DISPUTES_MAX) {
    return conflict(`At most ${UNCALLED_DISPUTES_MAX} open disputes name no call.`);
  }
  const data = { ...origin, dispute_id: disputeId, call_ids: callIds, credits };
  return { type: 'DisputeOpened', at, data };
}

/** Only an open dispute is resolved, so that it is resolved once. */
export function resolveDispute(
  { disputes = [], billing: { version } }: AccountState,
  { origin, disputeId, outcome, credits, giveBack }: ResolveDispute,
  at: number,
): AccountEvent | Refusal {
  const dispute = disputes.find(({ id }) => id === disputeId);
  if (dispute === undefined) return conflict('The dispute is resolved already.');
  if (giveBack !== null && giveBack.after !== version) return { reason: 'billing-moved', version };
  const data = { ...origin, dispute_id: disputeId, call_ids: dispute.callIds, outcome, credits };
  return { type: 'DisputeResolved', at, data };
}

/** Events that give the calls of a dispute back: credit notes first, then an adjustment each. */
export function givenBackBy(
  state: AccountState,
  { origin, giveBack }: ResolveDispute,
  at: number,
  calendar: Calendar,
): readonly AccountEvent[] | Refusal {
  if (giveBack === null) return [];
  const { notes, adjustments } = giveBack;
  const events: AccountEvent[] = notes.map(({ type, data }) => {
    return { type, at, data: { ...origin, ...data } };
  });
  let current = evolveAll(state, events);
  for (const { call, credits, grantId } of adjustments) {
    const billing = { after: current.billing.version, note: null };
    const asked = { command: 'adjust-credits', origin, credits, call, grantId, billing } as const;
    const event = adjustCredits(current, asked, at, calendar);
    if ('reason' in event) return event;
    events.push(event);
    current = evolveAll(current, [event]);
  }
  return events;
}

import type { CreditsGranted } from '#account/events.js';
import { formatMoment } from '#calendar/instant.js';
import type { GrantView } from '#ledger/account-reads.js';

/** A grant as operators see it: also what it was sold for, and also when nothing is left of it. */
export interface OperatorGrantView extends GrantView {
  /** Net, in minor units of the account's currency. */
  readonly price: number | null;
  readonly note: string | null;
  readonly status: 'active' | 'spent' | 'expired' | 'voided';
}

/** A grant as it was given: what was left once a debt was repaid. */
export function givenGrantView(
  event: { readonly at: number; readonly data: CreditsGranted },
  note: string | null,
): OperatorGrantView {
  const { data, at } = event;
  const left = data.credits - data.repaid;
  return {
    id: data.grant_id,
    kind: data.kind,
    credits: data.credits,
    left,
    priority: data.priority,
    expires_at: data.expires_at,
    granted_at: formatMoment(at),
    price: data.price,
    note,
    status: left > 0 ? 'active' : 'spent',
  };
}

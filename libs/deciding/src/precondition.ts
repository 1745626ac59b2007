import type { Refusal } from '#account/refusal.js';
import type { AccountState } from '#account/state.js';
import { contentTag, entityTag } from './entity-tag.js';

/** The part of an account that a validator stands for. */
export type TaggedPart = 'account' | 'billing' | { readonly budget: string };

/** Condition on an account's state for a decision (`If-Match`): plain data, as all of a command. */
export interface Precondition {
  readonly of: TaggedPart;
  /** The validators that it may have. */
  readonly tags: readonly string[];
}

/** The refusal of a state that does not meet a precondition, or null. */
export function refuseUnmet(state: AccountState, { of, tags }: Precondition): Refusal | null {
  const tag = tagOf(state, of);
  return tags.includes(tag) ? null : { reason: 'version-moved', tag };
}

/** The validator of an account, or of a part that changes by itself, in a state of the account. */
export function tagOf(state: AccountState, tagged: TaggedPart): string {
  if (tagged === 'account') return entityTag(state.version);
  if (tagged === 'billing') return contentTag(billingRow(state));
  return budgetTag(state, tagged.budget);
}

/** The row that holds an account's billing details is another one whenever they are. */
export function billingRow({ profile, billing }: AccountState): string {
  return billing.profile?.id ?? profile;
}

/** Of what is set of a budget: what is spent of it, which every call changes, is none of it. */
function budgetTag({ budgets }: AccountState, budgetId: string): string {
  const budget = budgets.find(({ id }) => id === budgetId);
  if (budget === undefined) return contentTag(null);
  const { apiKey, period, limit, thresholds, action, notify } = budget;
  return contentTag([apiKey, period, limit, thresholds, action, notify]);
}

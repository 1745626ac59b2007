import type { Account } from '../../rest/answers.js';
import { CallsView } from '../calls/calls-view.js';

/** Calls of one account, newest first; a row opens the explanation of its price. */
export function CallsPart({ account }: { readonly account: Account }) {
  return <CallsView accountId={account.id} />;
}

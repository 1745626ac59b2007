import type { AccountState } from '#account/state.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { found, problem, ProblemException } from '#web/problem.js';

/** The refusal of everything about an account that was never opened. */
export function noSuchAccount(): ProblemException {
  return new ProblemException(problem('not-found', 'There is no such account.'));
}

/** Returns the answer; throws a ProblemException (`not-found`) if it is undefined. */
export function foundAccount<Found>(answer: Found | undefined): Found {
  return found(answer, 'account');
}

/** The state of an account. Throws a ProblemException (`not-found`) for one never opened. */
export async function knownAccount(loader: AccountLoader, id: string): Promise<AccountState> {
  const { accounts } = await loader.loadCores([id]);
  const state = accounts.get(id)?.state;
  return foundAccount(state !== undefined && state.version > 0 ? state : undefined);
}

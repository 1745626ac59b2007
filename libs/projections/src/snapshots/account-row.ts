import { OpenedKeys } from '#account/opened-keys.js';
import { type AccountState, initialState } from '#account/state.js';
import { isKeyOf } from '#rating/key-parts.js';

/** Of what the ledger's rows mean; rows of another one are nothing to decide by. */
export const LEDGER_VERSION = 10;

/** An account as far as a reader has come: its state, its chain's head (64 hex digits). */
export interface LoadedAccount {
  readonly state: AccountState;
  readonly head: string;
}

/** The stored form of a state: all but the set of keys, which has rows of its own. */
export function stateToJson(state: AccountState): string {
  const { opened: _opened, ...core } = state;
  return JSON.stringify(core);
}

/** Reads the stored form back; `opened` are the keys that its rows hold. */
export function stateFromJson(text: string, opened: Iterable<string> = []): AccountState {
  const core = JSON.parse(text) as Omit<AccountState, 'opened'>;
  // A row of an older version of the program may lack what was added since.
  const totals = { ...initialState.totals, ...core.totals };
  const billing = { ...initialState.billing, ...core.billing };
  return { ...initialState, ...core, totals, billing, opened: OpenedKeys.of(opened) };
}

/** Whether the state alone knows if a key was opened; otherwise it has to be looked up. */
export function knowsKey(account: LoadedAccount, key: string): boolean {
  const { opened, window } = account.state;
  return (window !== null && isKeyOf(key, window)) || opened.has(key);
}

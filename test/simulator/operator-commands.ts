import type { ChangeAccount } from '#account/account.js';
import type { SetBudget } from '#account/budgets.js';
import type { Command } from '#account/commands.js';
import type { GrantCredits } from '#account/credits.js';
import type { AccountState } from '#account/state.js';
import {
  adjust,
  changeAccount,
  DAY,
  grantCredits,
  HOUR,
  issueApiKey,
  origin,
  plan,
  setBudget,
} from '#account/scenario.suite.js';
import type { ActionKind } from './plan.js';

/** How many of the attempts to close an account are made. */
const CLOSING = 0.2;

/** Picks from a list by a number from 0 to 1. */
export function at<Item>(items: readonly Item[], choice = 0): Item {
  const item = items[Math.floor(choice * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to choose from.');
  return item;
}

type Others =
  'call' | 'burst' | 'again' | 'give-back' | 'time' | 'crash' | 'older' | 'server-fails';

export interface OperatorAction {
  readonly kind: Exclude<ActionKind, Others>;
  readonly choices: readonly number[];
  /** Of the command, and of what it makes. */
  readonly name: string;
  readonly state: AccountState;
  /** The account's present time, as an API process believes it. */
  readonly now: number;
}

/** The command of an operator's action, or null. */
export function operatorCommand(action: OperatorAction): Command | null {
  const { kind, choices, name, state, now } = action;
  const [, how = 0, , size = 0] = choices;
  const own = { ...origin, input: name };
  switch (kind) {
    case 'grant':
      return { ...someGrant(name, now, how, size), origin: own };
    case 'adjust': {
      const credits = at([-20_000, -5, 7, 20_000], how);
      return { ...adjust(credits), origin: { ...own, reason: 'Why.' }, grantId: name };
    }
    case 'void-grant': {
      const grantId = some(state.grants, size)?.id ?? name;
      return {
        command: 'void-grant',
        origin: own,
        grantId,
        wasGiven: how < 0.9,
        refund: how < 0.5,
      };
    }
    case 'change':
      return { ...changeAccount(someChange(how, size)), origin: own };
    case 'close':
      // Without its account a schedule has little left to do.
      return size < CLOSING ? { command: 'close-account', origin: own } : null;
    case 'budget':
      return { ...someBudget(action), origin: own };
    case 'remove-budget': {
      const budgetId = some(state.budgets, size)?.id ?? name;
      return { command: 'remove-budget', origin: own, budgetId };
    }
    case 'suspend':
      return { command: 'suspend-account', origin: own };
    case 'resume':
      return { command: 'resume-account', origin: own };
    case 'issue-key':
      return issueApiKey({ origin: own, keyId: name });
    case 'revoke-key': {
      // The newer ones go first: without its first key an account can do nothing any more.
      const keyId = some(state.apiKeys, Math.sqrt(size))?.id ?? 'revoked';
      return { command: 'revoke-api-key', origin: own, keyId, wasIssued: true };
    }
    case 'tick':
      return { command: 'tick' };
    case 'test-clock': {
      const later = now + at([1, HOUR, 3 * DAY, 8 * DAY], size);
      return { command: 'move-test-clock', origin: own, now: later };
    }
  }
}

function some<Item>(items: readonly Item[], choice: number): Item | undefined {
  return items[Math.floor(choice * items.length)];
}

function someGrant(name: string, now: number, how: number, size: number): GrantCredits {
  const expiresAt = size < 0.5 ? null : now + at([20, HOUR, 6 * DAY], (size - 0.5) * 2);
  const credits = at([1, 5_000, 60_000], how);
  return grantCredits(credits, { grantId: name, expiresAt, priority: at([1, 100], size) });
}

function someChange(how: number, size: number): ChangeAccount['changes'] {
  const changes: readonly ChangeAccount['changes'][] = [
    { overdraft: at([0, 15, 60_000, null], size) },
    { lowBalance: at([null, 50, 20_000, 300_000], size) },
    { plan: at([null, plan, { ...plan, included_credits: 0 }], size) },
  ];
  return at(changes, how);
}

/** A new budget, or one that is there and changes. */
function someBudget({ choices, name, state }: OperatorAction): SetBudget {
  const [, change = 0, , limit, period = 0, thresholds, action = 0, key = 0] = choices;
  const known = change < 0.4 ? some(state.budgets, change) : undefined;
  return setBudget(at([30, 45, 10_000, 50_035, 120_000], limit), {
    budgetId: known?.id ?? name,
    isNew: known === undefined,
    apiKeyId: key < 0.7 ? null : (state.apiKeys.at(-1)?.id ?? null),
    period: period < 0.5 ? 'month' : 'window',
    thresholds: at([[], [50], [1, 80, 100], [100]], thresholds),
    action: action < 0.5 ? 'alert' : 'block',
  });
}

import type { Command } from './commands.js';
import {
  adjust,
  after,
  callAt,
  changeAccount,
  grantCredits,
  HOUR,
  issueApiKey,
  origin,
  prepaid,
  setBudget,
  TUESDAY,
  voidGrant,
  when,
} from './scenario.suite.js';

const NOW = TUESDAY + HOUR;
const suspend: Command = { command: 'suspend-account', origin };
const resume: Command = { command: 'resume-account', origin };
const removeBudget: Command = { command: 'remove-budget', origin, budgetId: 'budget-1' };
const closed = after(prepaid(9), TUESDAY, { command: 'close-account', origin });

describe('a closed account', () => {
  it.each<[string, Command]>([
    ['be granted credits', grantCredits(5)],
    ['get an API key', issueApiKey({ keyId: 'key-2' })],
    ['be changed', changeAccount({ overdraft: 5 })],
    ['be suspended', suspend],
    ['be resumed', resume],
    ['get a budget', setBudget(5)],
    ['lose a budget', removeBudget],
  ])('can not %s', (_what, command) => {
    const refusal = { reason: 'account-closed' };
    expect(when(closed, NOW, command)).toEqual({ events: [], own: null, refusal });
  });

  it.each<[string, Command]>([
    ['be adjusted', adjust(5)],
    ['lose a grant', voidGrant('grant-of-9')],
  ])('can still %s', (_what, command) => {
    expect(when(closed, NOW, command).refusal).toBeNull();
  });

  it('has no key any more that could call', () => {
    expect(closed.apiKeys).toEqual([]);
    expect(when(closed, NOW, callAt(NOW)).refusal).toEqual({ reason: 'key-invalid' });
  });

  it('keeps what it has until that expires', () => {
    expect([closed.balance, closed.grants.length]).toEqual([9, 1]);
  });
});

describe('an overdraft that is put below the debt', () => {
  it('leaves the debt as it is and refuses further calls', () => {
    const indebted = after(prepaid(1, { overdraft: 100_000 }), TUESDAY, callAt(TUESDAY));
    const lowered = after(indebted, TUESDAY, changeAccount({ overdraft: 10 }));
    expect(lowered.balance).toBe(-49_999);
    expect(when(lowered, NOW, callAt(NOW)).refusal).toEqual({
      reason: 'out-of-credits',
      requiredCredits: 10,
      balance: -49_999,
      availableCredits: 0,
      kind: 'repeat',
    });
  });
});

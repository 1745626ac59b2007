import type { Command } from './commands.js';
import type { Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import {
  adjust,
  after,
  changeAccount,
  DAY,
  given,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  origin,
  plan,
  prepaid,
  revokeApiKey,
  setBudget,
  TUESDAY,
  voidGrant,
  when,
} from './scenario.suite.js';

const suspend: Command = { command: 'suspend-account', origin };
const resume: Command = { command: 'resume-account', origin };
const revoke = revokeApiKey('key-1');
const opened = given([TUESDAY, openAccount()]);
const suspended = given([TUESDAY, openAccount()], [TUESDAY, suspend]);
const close: Command = { command: 'close-account', origin };
const erase: Command = { command: 'erase-profile', origin, profiles: ['profile-1', 'profile-2'] };
const removeBudget: Command = { command: 'remove-budget', origin, budgetId: 'budget-1' };
const closed = after(prepaid(9), TUESDAY, close);
const budgeted = after(prepaid(9), TUESDAY, setBudget(100));
const testClock = TUESDAY;
const tested = given([TUESDAY, openAccount({ testClock })]);
const moveTo = (now: number): Command => ({ command: 'move-test-clock', origin, now });
const NOW = TUESDAY + HOUR;
const MOST = Number.MAX_SAFE_INTEGER;

describe('a command makes exactly its event', () => {
  it.each<[string, AccountState, Command, object]>([
    ['opening an account', given(), openAccount(), { type: 'AccountOpened', at: NOW }],
    ['suspending it', opened, suspend, { type: 'AccountSuspended', at: NOW, data: origin }],
    ['resuming it', suspended, resume, { type: 'AccountResumed', at: NOW, data: origin }],
    [
      'issuing a key',
      prepaid(1),
      issueApiKey({ keyId: 'key-2' }),
      { type: 'ApiKeyIssued', at: NOW, data: { api_key: 2, key_id: 'key-2' } },
    ],
    [
      'revoking a key',
      prepaid(1),
      revoke,
      { type: 'ApiKeyRevoked', at: NOW, data: { ...origin, api_key: 1, key_id: 'key-1' } },
    ],
    [
      'granting credits',
      prepaid(1),
      grantCredits(5, { expiresAt: NOW + DAY, priority: 7 }),
      {
        type: 'CreditsGranted',
        data: {
          grant: 2,
          credits: 5,
          repaid: 0,
          balance: 6,
          priority: 7,
          expires_at: '2026-11-25T10:00:00Z',
        },
      },
    ],
    [
      'giving credits back',
      prepaid(1),
      adjust(5, { callId: 'call-1', charged: 5 }),
      {
        type: 'Adjusted',
        data: { credits: 5, call_id: 'call-1', grant: 2, draws: [], balance: 6 },
      },
    ],
    [
      'taking credits',
      prepaid(9),
      adjust(-5),
      {
        type: 'Adjusted',
        data: { credits: -5, call_id: null, grant: null, draws: [[1, 5]], balance: 4 },
      },
    ],
    [
      'moving a test clock',
      tested,
      moveTo(TUESDAY + DAY),
      { type: 'TestClockMoved', at: TUESDAY + DAY, data: { now: '2026-11-25T09:00:00Z' } },
    ],
    ['closing it', prepaid(9), close, { type: 'AccountClosed', at: NOW, data: origin }],
    [
      'erasing it',
      closed,
      erase,
      { type: 'ProfileErased', data: { ...origin, profiles: ['profile-1', 'profile-2'] } },
    ],
    [
      'changing it, with what has changed alone',
      prepaid(9),
      changeAccount({
        overdraft: null,
        rateLimit: { perSecond: 5, burst: 9 },
        lowBalance: null,
        rateCard: null,
      }),
      {
        type: 'AccountChanged',
        data: { ...origin, overdraft: null, rate_limit: { per_second: 5, burst: 9 } },
      },
    ],
    [
      'giving it another name and plan',
      prepaid(9),
      changeAccount({ profile: { id: 'profile-2', sha256: '01' }, plan, rateCard: 1 }),
      {
        type: 'AccountChanged',
        data: { profile: { id: 'profile-2', sha256: '01' }, plan, rate_card: 1 },
      },
    ],
    [
      'voiding a grant',
      prepaid(9),
      voidGrant('grant-of-9'),
      {
        type: 'GrantVoided',
        data: { ...origin, grant: 1, grant_id: 'grant-of-9', credits: 9, balance: 0 },
      },
    ],
    [
      'setting a budget',
      prepaid(9),
      setBudget(100, { apiKeyId: 'key-1' }),
      {
        type: 'BudgetSet',
        data: {
          ...origin,
          budget_id: 'budget-1',
          api_key: 1,
          period: 'month',
          limit: 100,
          thresholds: [50, 80, 100],
          action: 'alert',
          notify: null,
        },
      },
    ],
    [
      'changing a budget',
      budgeted,
      setBudget(100, { isNew: false, action: 'block' }),
      { type: 'BudgetSet', data: { budget_id: 'budget-1', action: 'block' } },
    ],
    [
      'removing a budget',
      budgeted,
      removeBudget,
      { type: 'BudgetRemoved', data: { ...origin, budget_id: 'budget-1' } },
    ],
  ])('%s', (_what, state, command, expected) => {
    const decision = when(state, NOW, command);
    expect(decision.refusal).toBeNull();
    expect(decision.events).toHaveLength(1);
    expect(decision.events[0]).toMatchObject(expected);
    expect(decision.own).toBe(0);
  });
});

describe('a command has nothing to do', () => {
  it.each<[string, AccountState, Command]>([
    ['when a suspended account is suspended', suspended, suspend],
    ['when an active account is resumed', opened, resume],
    [
      'when a revoked key is revoked',
      given([TUESDAY, openAccount()], [TUESDAY, issueApiKey()], [TUESDAY, revoke]),
      revoke,
    ],
    ['when a closed account is closed', closed, close],
    ['when an erased account is erased', after(closed, TUESDAY, erase), erase],
    ['when a key of a closed account is revoked', closed, revoke],
    ['when a grant is voided of which nothing is left', prepaid(9), voidGrant('spent')],
    ['when a budget is changed to what it is', budgeted, setBudget(100, { isNew: false })],
    [
      'when an account is changed to what it is',
      given([TUESDAY, openAccount({ plan, rateLimit: { perSecond: 1, burst: 2 } })]),
      changeAccount({
        overdraft: 0,
        rateLimit: { perSecond: 1, burst: 2 },
        lowBalance: null,
        rateCard: null,
        plan: { ...plan },
      }),
    ],
    [
      'when a plan is asked for that is to come already',
      after(prepaid(9), TUESDAY, changeAccount({ plan })),
      changeAccount({ plan }),
    ],
    ['when a test clock is moved to where it stands', tested, moveTo(TUESDAY)],
    ['when nothing has fallen due', opened, { command: 'tick' }],
  ])('%s', (_when, state, command) => {
    expect(when(state, NOW, command)).toEqual({ events: [], own: null, refusal: null });
  });
});

describe('a command is refused', () => {
  it.each<[string, AccountState, Command, Refusal['reason'], RegExp?]>([
    ['when the account was never opened', given(), suspend, 'account-unknown'],
    ['when the account is opened twice', opened, openAccount(), 'account-exists'],
    ['when there is no such key', opened, revokeApiKey('key-1', false), 'not-found'],
    [
      'when a key has expired already',
      opened,
      issueApiKey({ expiresAt: NOW }),
      'conflict',
      /future/,
    ],
    [
      'when a grant has expired already',
      opened,
      grantCredits(1, { expiresAt: NOW }),
      'conflict',
      /future/,
    ],
    [
      'when grants would leave the safe integers',
      prepaid(1),
      grantCredits(MOST),
      'conflict',
      /at most/,
    ],
    ['when an adjustment would', prepaid(1), adjust(MOST), 'conflict', /at most/],
    ['when more is taken than is there', prepaid(4), adjust(-5), 'conflict', /At most 4/],
    [
      'when more is given back than the call cost',
      prepaid(4),
      adjust(6, { callId: 'call-1', charged: 5 }),
      'conflict',
      /its charge, 5 credits/,
    ],
    [
      'when a call is given back with less than nothing',
      prepaid(4),
      adjust(-1, { callId: 'call-1', charged: 5 }),
      'conflict',
      /its charge, 5 credits/,
    ],
    ['when there is no such grant', opened, voidGrant('grant-1', { wasGiven: false }), 'not-found'],
    ['when there is no such budget', opened, setBudget(1, { isNew: false }), 'not-found'],
    ['when there is no budget to remove', opened, removeBudget, 'not-found'],
    ['when a budget is made twice', budgeted, setBudget(7), 'conflict', /exists/],
    [
      'when a budget is to count an API key that there is not',
      opened,
      setBudget(7, { apiKeyId: 'key-9' }),
      'not-found',
    ],
    ['when an account is erased that is open', opened, erase, 'conflict', /closed account/],
    ['when a clock is moved that is real', opened, moveTo(NOW), 'conflict', /not opened with/],
    ['when a test clock is moved back', tested, moveTo(TUESDAY - 1), 'conflict', /never goes back/],
    ['when it is moved too far', tested, moveTo(TUESDAY + 401 * DAY), 'conflict', /400 days/],
  ])('%s', (_when, state, command, reason, detail = /^/) => {
    const { events, refusal } = when(state, NOW, command);
    expect(events).toEqual([]);
    expect(refusal?.reason).toBe(reason);
    if (refusal !== null && 'detail' in refusal) expect(refusal.detail).toMatch(detail);
  });
});

describe('a test clock that crosses an expiry', () => {
  it('records the expiry at its own moment, before its own move', () => {
    const expiresAt = TUESDAY + HOUR;
    const state = given(
      [TUESDAY, openAccount({ testClock })],
      [TUESDAY, grantCredits(7, { expiresAt })],
    );
    const { events, own } = when(state, NOW, moveTo(TUESDAY + DAY));
    expect(events.map(({ type, at }) => [type, at])).toEqual([
      ['GrantExpired', expiresAt],
      ['TestClockMoved', TUESDAY + DAY],
    ]);
    expect(own).toBe(1);
  });
});

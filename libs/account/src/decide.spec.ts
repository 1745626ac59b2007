import { evolveAll } from './advance.js';
import type { Command } from './commands.js';
import type { Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import {
  adjust,
  callAt,
  DAY,
  given,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  origin,
  ownEvent,
  prepaid,
  TUESDAY,
  when,
} from './scenario.suite.js';

const suspend: Command = { command: 'suspend-account', origin };
const resume: Command = { command: 'resume-account', origin };
const revoke: Command = { command: 'revoke-api-key', origin, keyId: 'key-1' };
const opened = given([TUESDAY, openAccount()]);
const suspended = given([TUESDAY, openAccount()], [TUESDAY, suspend]);
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
      given([0, openAccount()], [0, issueApiKey()], [0, revoke]),
      revoke,
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
    ['when there is no such key', opened, revoke, 'not-found'],
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
    ['when more is taken than is there', prepaid(4), adjust(-5), 'conflict', /Only 4/],
    [
      'when more is given back than the call cost',
      prepaid(4),
      adjust(6, { callId: 'call-1', charged: 5 }),
      'conflict',
      /charge of 5/,
    ],
    [
      'when a call is given back with less than nothing',
      prepaid(4),
      adjust(-1, { callId: 'call-1', charged: 5 }),
      'conflict',
      /charge of 5/,
    ],
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

describe('credits that come in', () => {
  const indebted = (() => {
    const state = prepaid(0 + 1, { overdraft: 100_000 });
    return evolveAll(state, when(state, TUESDAY, callAt(TUESDAY)).events);
  })();

  it('repay a debt first', () => {
    const decision = when(indebted, NOW, grantCredits(60_000));
    expect(ownEvent(decision, 'CreditsGranted').data).toMatchObject({
      repaid: 49_999,
      balance: 10_001,
    });
    expect(evolveAll(indebted, decision.events).grants.map(({ left }) => left)).toEqual([10_001]);
  });

  it('are not kept as a grant when the debt takes all of them', () => {
    const decision = when(indebted, NOW, adjust(49_999));
    expect(ownEvent(decision, 'Adjusted').data).toMatchObject({ repaid: 49_999, balance: 0 });
    expect(evolveAll(indebted, decision.events).grants).toEqual([]);
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

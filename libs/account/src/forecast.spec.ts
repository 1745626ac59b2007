import { evolveAll } from './advance.js';
import { forecast } from './forecast.js';
import {
  after,
  callAt,
  DAY,
  given,
  grantCredits,
  HOUR,
  issueApiKey,
  openAccount,
  setBudget,
  terms,
  when,
} from './scenario.suite.js';
import type { AccountState } from './state.js';

const { calendar } = terms;
/** A Sunday; the window began on Tuesday, 27 October. */
const NOVEMBER = Date.UTC(2026, 10, 1);

function opened(at: number, credits: number, overdraft: number | null = 0): AccountState {
  return given([at, openAccount({ overdraft })], [at, issueApiKey()], [at, grantCredits(credits)]);
}

function calling(state: AccountState, at: number): AccountState {
  return evolveAll(state, when(state, at, callAt(at)).events);
}

describe('when a balance runs out', () => {
  it('follows the pace since the start of the running month, if that is the earlier one', () => {
    const at = NOVEMBER + 10 * DAY;
    const state = calling(opened(NOVEMBER - 40 * DAY, 150_000), at);
    // 50,000 credits in 10 days: another 100,000 last 20 days more.
    expect(forecast(state, at, calendar).balance).toBe(at + 20 * DAY);
  });

  it('follows the pace of the running window where that began earlier than the month', () => {
    const called = calling(opened(NOVEMBER - 40 * DAY, 150_000), NOVEMBER - DAY);
    const at = NOVEMBER + DAY;
    const state = evolveAll(called, when(called, at, { command: 'tick' }).events);
    expect(state.monthUse.credits).toBe(0);
    // Six days of the window, in which 50,000 credits were spent.
    expect(forecast(state, at, calendar).balance).toBe(at + 12 * DAY);
  });

  it('counts from the opening of an account that is younger', () => {
    const start = NOVEMBER + 8 * DAY;
    const state = calling(opened(start, 150_000), start + 2 * DAY);
    expect(forecast(state, start + 2 * DAY, calendar).balance).toBe(start + 6 * DAY);
  });

  it('takes the first hours for a day', () => {
    const start = NOVEMBER + 8 * DAY;
    const state = calling(opened(start, 150_000), start + HOUR);
    expect(forecast(state, start + HOUR, calendar).balance).toBe(start + HOUR + 2 * DAY);
  });

  it('includes the overdraft', () => {
    const at = NOVEMBER + 10 * DAY;
    const state = calling(opened(NOVEMBER, 50_000, 50_000), at);
    expect(forecast(state, at, calendar).balance).toBe(at + 10 * DAY);
  });

  it('is now when nothing is left', () => {
    const at = NOVEMBER + 10 * DAY;
    expect(forecast(calling(opened(NOVEMBER, 50_000), at), at, calendar).balance).toBe(at);
  });

  it.each<[string, AccountState]>([
    ['without a limit', calling(opened(NOVEMBER, 1, null), NOVEMBER + DAY)],
    ['when nothing is spent', opened(NOVEMBER, 100)],
    [
      'when it would last for more than a century',
      calling(opened(NOVEMBER, Number.MAX_SAFE_INTEGER), NOVEMBER + DAY),
    ],
  ])('is not foreseen %s', (_when, state) => {
    expect(forecast(state, NOVEMBER + DAY, calendar).balance).toBeNull();
  });
});

describe('when a budget is used up', () => {
  const at = NOVEMBER + 10 * DAY;
  const called = calling(opened(NOVEMBER, 1_000_000), at);
  const foreseen = (limit: number) => {
    const state = after(called, at, setBudget(limit));
    return forecast(state, at, calendar).budgets.get('budget-1');
  };

  it('follows the pace of its own period', () => {
    expect(foreseen(100_000)).toBe(at + 10 * DAY);
    const windowed = after(called, at, setBudget(100_000, { period: 'window' }));
    const { startsAt } = calendar.windowAt(at);
    const pace = Math.max(DAY, at - startsAt);
    expect(forecast(windowed, at, calendar).budgets.get('budget-1')).toBe(at + pace);
  });

  it('is now once its limit is reached', () => {
    expect(foreseen(50_000)).toBe(at);
    expect(foreseen(40_000)).toBe(at);
  });

  it('is not foreseen when its period ends before', () => {
    expect(foreseen(149_999)).toBe(NOVEMBER + 30 * DAY - Math.floor(DAY / 5_000));
    expect(foreseen(150_000)).toBeNull();
  });
});

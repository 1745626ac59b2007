import type { RateCard } from '#rating/rate-card.js';
import { evolveAll } from './advance.js';
import { auditEvent } from './audit.js';
import { forecast, forecastBudget } from './forecast.js';
import type { AccountState } from './state.js';
import { after, callAt, changeAccount, DAY, given, grantCredits, HOUR } from './scenario.suite.js';
import { issueApiKey, openAccount, origin, setBudget, terms, when } from './scenario.suite.js';

/** Tuesday, 1 December 2026, ten o'clock: an hour after the pull of the day. */
const NOW = Date.UTC(2026, 11, 1, 10);
const PULL = NOW - HOUR;
const DEAR: RateCard = {
  version: 2,
  effective_window: '2026w51',
  call_cost: 10,
  rules: [{ name: 'all beauty trends', match: {}, data_cost: { flat: 59_990 } }],
};

/** An account that has pulled all beauty trends each Tuesday, this one included. */
function weekly(weeks: number, left: number, overdraft: number | null = 0): AccountState {
  const start = PULL - (weeks - 1) * 7 * DAY;
  const opened = given(
    [start - HOUR, openAccount({ overdraft })],
    [start - HOUR, issueApiKey()],
    [start - HOUR, grantCredits(left + weeks * 50_000)],
  );
  const pulls = Array.from({ length: weeks }, (_, week) => start + week * 7 * DAY);
  return pulls.reduce((state, at) => after(state, at, callAt(at)), opened);
}

describe('an account that pulls the same URLs each Tuesday', () => {
  const state = weekly(6, 120_000);

  it('will have spent five times as much by the end of a month with five of them', () => {
    expect(forecast(state, NOW, terms)).toMatchObject({
      monthCredits: 250_000,
      nextWindowCredits: 50_000,
      confidence: 'high',
    });
  });

  it('runs out on the Tuesday that it cannot pay any more', () => {
    const { exhaustedAt, balanceExhaustedAt } = forecast(state, NOW, terms);
    // 100,000 on the 8th and 15th: 20,000 are two fifths of the 22nd.
    expect(exhaustedAt).toBe(Date.UTC(2026, 11, 22) + 0.4 * DAY);
    expect(balanceExhaustedAt).toBe(exhaustedAt);
  });

  it('has its overdraft counted apart from its balance', () => {
    const overdrawn = after(state, NOW, changeAccount({ overdraft: 50_000 }));
    const { exhaustedAt, balanceExhaustedAt } = forecast(overdrawn, NOW, terms);
    expect(exhaustedAt).toBe(Date.UTC(2026, 11, 29) + 0.4 * DAY);
    expect(balanceExhaustedAt).toBe(Date.UTC(2026, 11, 22) + 0.4 * DAY);
    const free = forecast(after(state, NOW, changeAccount({ overdraft: null })), NOW, terms);
    expect([free.exhaustedAt, free.balanceExhaustedAt]).toEqual([null, balanceExhaustedAt]);
  });

  it('pays the prices that are announced', () => {
    const cards = [...terms.cards, DEAR];
    const foreseen = forecast(state, NOW, { ...terms, cards });
    // The 1st and 8th at the old price, three Tuesdays at the new one.
    expect(foreseen.monthCredits).toBe(100_000 + 180_000);
    expect(foreseen.nextWindowCredits).toBe(50_000);
    const later = forecast(state, NOW + 7 * DAY, { ...terms, cards });
    expect(later.nextWindowCredits).toBe(60_000);
  });

  it('lasts for years on a balance that does', () => {
    const rich = forecast(weekly(6, 52 * 50_000), NOW, terms);
    const years = ((rich.exhaustedAt ?? 0) - NOW) / (365 * DAY);
    expect(years).toBeGreaterThan(0.98);
    expect(years).toBeLessThan(1.02);
    expect(forecast(weekly(6, 6_000 * 50_000), NOW, terms).exhaustedAt).toBeNull();
  });
});

describe('a forecast', () => {
  it.each([
    [1, 'low'],
    [2, 'low'],
    [3, 'medium'],
    [5, 'high'],
  ] as const)('of %i pulls has the confidence %s', (weeks, confidence) => {
    expect(forecast(weekly(weeks, 100_000), NOW, terms)).toMatchObject({
      monthCredits: 250_000,
      confidence,
    });
  });

  it('of an account that never called is nothing, and now where nothing is left', () => {
    const idle = given([NOW, openAccount()], [NOW, issueApiKey()], [NOW, grantCredits(5)]);
    const foreseen = forecast(idle, NOW, terms);
    expect(foreseen).toMatchObject({ exhaustedAt: null, monthCredits: 0, confidence: 'low' });
    expect(forecast(weekly(3, 0), NOW, terms).exhaustedAt).toBe(NOW);
  });

  it('of a closed account is nothing', () => {
    const closed = after(weekly(6, 90_000), NOW, { command: 'close-account', origin });
    expect(forecast(closed, NOW, terms)).toMatchObject({
      exhaustedAt: null,
      monthCredits: 50_000,
      nextWindowCredits: 0,
    });
  });

  it('leaves out the data of past weeks, which nobody asks for each week', () => {
    const key = '/v1/2026w40/cat1/trends/all/popindex/us/beauty';
    const past = after(weekly(6, 900_000), NOW, callAt(NOW, { key }));
    expect(forecast(past, NOW, terms).monthCredits).toBe(300_000);
  });
});

describe('a budget', () => {
  const limited = (limit: number, changes: Parameters<typeof setBudget>[1] = {}) =>
    after(weekly(6, 1_000_000), NOW, setBudget(limit, { thresholds: [], ...changes }));
  const foreseen = (state: AccountState) => {
    const [budget] = state.budgets;
    if (budget === undefined) throw new Error('There is no budget.');
    return forecastBudget(state, budget, NOW, terms);
  };

  it('is used up on a Tuesday of its month, or outlasts it', () => {
    expect(foreseen(limited(200_000))).toEqual({
      exhaustedAt: Date.UTC(2026, 11, 23),
      credits: 250_000,
    });
    expect(foreseen(limited(250_001))).toEqual({ exhaustedAt: null, credits: 250_000 });
  });

  it('of a window, or of a key that does not call, expects nothing more', () => {
    expect(foreseen(limited(60_000, { period: 'window' }))).toEqual({
      exhaustedAt: null,
      credits: 50_000,
    });
    const keyed = after(weekly(6, 1_000_000), NOW, issueApiKey({ keyId: 'key-2' }));
    const other = after(keyed, NOW, setBudget(60_000, { apiKeyId: 'key-2' }));
    expect(foreseen(other)).toEqual({ exhaustedAt: null, credits: 0 });
  });

  it('that will be exceeded is reported once a period, when forecasts are asked for', () => {
    const state = limited(200_000);
    const { events } = when(state, NOW, { command: 'report-forecasts' });
    const data = {
      budget_id: 'budget-1',
      period: '2026-12',
      limit: 200_000,
      spent: 50_000,
      exhausted_at: '2026-12-23T00:00:00Z',
      call_id: null,
    };
    expect(events).toEqual([{ type: 'BudgetForecastExceeded', at: NOW, data }]);
    const reported = evolveAll(state, events);
    expect(when(reported, NOW + DAY, { command: 'report-forecasts' }).events).toEqual([]);
  });

  it('is not reported by a call, before 5 % are spent, and where it outlasts the month', () => {
    const called = when(limited(200_000), NOW, callAt(NOW));
    expect(called.events.map(({ type }) => type)).toEqual(['CallMade']);
    for (const limit of [250_001, 1_000_001]) {
      expect(when(limited(limit), NOW, { command: 'report-forecasts' }).events).toEqual([]);
    }
  });

  it('is reported as recorded when the log is audited, whatever prices came later', () => {
    const state = limited(200_000);
    const [event] = when(state, NOW, { command: 'report-forecasts' }).events;
    if (event?.type !== 'BudgetForecastExceeded') throw new Error('Nothing was reported.');
    const later = { ...terms, cards: [...terms.cards, DEAR], resourceOf: () => undefined };
    const preceding = { callId: 'call-1', head: '' };
    const audit = (data: object) => {
      const recorded = { ...event, data: { ...event.data, ...data } };
      return auditEvent(state, recorded, false, later, preceding)?.member ?? null;
    };
    expect(audit({})).toBeNull();
    expect(audit({ exhausted_at: '2026-12-05T00:00:00Z' })).toBeNull();
    expect(audit({ call_id: 'call-1' })).toBeNull();
    expect(audit({ call_id: 'call-2' })).toBe('call_id');
    expect([audit({ spent: 1 }), audit({ limit: 1 }), audit({ budget_id: 'b' })]).toEqual([
      'spent',
      'limit',
      'type',
    ]);
    for (const moment of ['2026-12-01T09:59:59Z', '2027-01-01T00:00:00Z', 'soon']) {
      expect(audit({ exhausted_at: moment })).toBe('type');
    }
  });
});

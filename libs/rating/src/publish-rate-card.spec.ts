import { Calendar } from '#calendar/calendar.js';
import { decidePublication } from './publish-rate-card.js';
import { RATE_CARD_1 } from './rate-card.js';
import type { RateCard } from './rate-card.js';

/** Tuesday, 24 November 2026 is the first day of 2026w48. */
const TURN = Date.UTC(2026, 10, 24);
const MINUTE = 60_000;

function publish(window: string | null, now: number, cards: readonly RateCard[] = [RATE_CARD_1]) {
  const proposed = { effective_window: window, call_cost: 12, rules: RATE_CARD_1.rules };
  return decidePublication({ cards, proposed, now, calendar: new Calendar('UTC') });
}

describe('a rate card is published', () => {
  it('under the next number', () => {
    const cards = [RATE_CARD_1, { ...RATE_CARD_1, version: 2, effective_window: '2026w40' }];
    expect(publish('2026w48', TURN - MINUTE, cards)).toEqual({
      outcome: 'publish',
      card: { version: 3, effective_window: '2026w48', call_cost: 12, rules: RATE_CARD_1.rules },
    });
  });

  it('at any time without a window: it waits for accounts that name it', () => {
    expect(publish(null, TURN - 1)).toMatchObject({ outcome: 'publish', card: { version: 2 } });
  });

  // Milliseconds from the turn of 2026w47 to 2026w48, the window asked for, and what comes of it.
  it.each([
    [-MINUTE, '2026w48', 'published'],
    [-MINUTE + 1, '2026w48', 'begins in less than 60 seconds'],
    [-1, '2026w48', 'begins in less than 60 seconds'],
    [0, '2026w48', 'has begun already'],
    [-MINUTE, '2026w47', 'has begun already'],
    [-MINUTE, '2020w01', 'has begun already'],
    [-1, '2026w49', 'published'],
    [0, '2026w49', 'published'],
    [0, '2027w01', 'published'],
    [0, '9999w52', 'published'],
  ])('%i ms from the turn for %s: %s', (ms, window, expected) => {
    const outcome = publish(window, TURN + ms);
    const text = outcome.outcome === 'publish' ? 'published' : outcome.detail;
    expect(text).toContain(expected);
  });

  it('gets the next window that it could begin with', () => {
    expect(publish('2026w48', TURN - 1)).toMatchObject({
      detail: expect.stringContaining('can begin with is 2026w49'),
    });
    expect(publish('2026w40', TURN - MINUTE)).toMatchObject({
      detail: expect.stringContaining('can begin with is 2026w48'),
    });
  });

  it('by the windows of the billing zone', () => {
    const calendar = new Calendar('America/New_York');
    const proposed = { effective_window: '2026w48', call_cost: 1, rules: RATE_CARD_1.rules };
    const at = (now: number) =>
      decidePublication({ cards: [RATE_CARD_1], proposed, now, calendar });
    expect(at(TURN + 4 * 60 * MINUTE).outcome).toBe('publish');
    expect(at(TURN + 5 * 60 * MINUTE).outcome).toBe('refused');
  });
});

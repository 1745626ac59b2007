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

  it('at once as the first one of its product, with the label of the running window', () => {
    const first = (label: string | null, product: string, cards = [RATE_CARD_1]) =>
      decidePublication({
        cards,
        proposed: {
          product,
          repeat: 'week' as const,
          effective_window: label,
          call_cost: 1,
          rules: [{ name: 'all', match: {}, data_cost: { flat: 1 } }],
        },
        now: TURN,
        calendar: new Calendar('UTC'),
      });
    const rules = [{ name: 'all', match: {}, data_cost: { flat: 1 } }];
    const published = { product: 'weather', effective_window: '2026w48', call_cost: 1, rules };
    for (const label of [null, '2026w48']) {
      const outcome = first(label, 'weather');
      expect(outcome).toEqual({ outcome: 'publish', card: { version: 2, ...published } });
    }
    expect(first('2026w50', 'weather')).toMatchObject({ card: { effective_window: '2026w50' } });
    expect(first('2026w47', 'weather').outcome).toBe('refused');
    const cards = [RATE_CARD_1, { ...published, version: 2 }];
    expect(first('2026w48', 'weather', cards).outcome).toBe('refused');
    expect(first(null, 'weather', cards)).toMatchObject({ card: { effective_window: null } });
    expect(first('2026w48', 'llm', cards)).toMatchObject({ card: { version: 3 } });
    expect(first('2026w48', 'v1').outcome).toBe('refused');
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

import { RATE_CARD_1 } from './rate-card.js';
import { RATE_CARDS, type SystemEvent } from './rate-card-events.js';

const publishedRateCards = (events: readonly SystemEvent[]) =>
  events.reduce(RATE_CARDS.evolve, RATE_CARDS.initial());

const who = { by: 'owner', request: 'request-1', input: 'abc' };

test('the first card is there before anybody published one', () => {
  expect(publishedRateCards([])).toEqual([
    { card: RATE_CARD_1, publishedAt: null, by: null, reason: null },
  ]);
});

test('cards are read from the events that publish them, and from no other', () => {
  const card = { ...RATE_CARD_1, version: 2, effective_window: '2026w49', call_cost: 12 };
  const data = JSON.stringify({ ...card, ...who, reason: 'A new year.' });
  const [, second, ...others] = publishedRateCards([
    { type: 'ReleasePublished', at: 1, data: '{"version": 7}' },
    { type: 'RateCardPublished', at: 2, data },
  ]);
  expect(second).toEqual({ card, publishedAt: 2, by: 'owner', reason: 'A new year.' });
  expect(others).toEqual([]);
});

test('a card that was published without a reason has none', () => {
  const data = JSON.stringify({ ...RATE_CARD_1, version: 2, ...who });
  expect(publishedRateCards([{ type: 'RateCardPublished', at: 2, data }])[1]).toMatchObject({
    reason: null,
  });
});

import type { RateCard } from '#rating/rate-card.js';
import type { AccountState } from './state.js';

/**
 * The cards that were published when a call was decided. Under a test clock that may be before a
 * card of the call's window: the first call there pins the one that was in force then, which its
 * event names. All that the account had pinned before were published too.
 */
export function cardsOfThen(
  { testClock, rateCard, pinnedCards }: AccountState,
  named: number,
  window: string,
  cards: readonly RateCard[],
): readonly RateCard[] {
  const isPinning = testClock !== null && rateCard === null && pinnedCards[window] === undefined;
  if (!isPinning || !cards.some(({ version }) => version === named)) return cards;
  const newest = Math.max(named, ...Object.values(pinnedCards));
  return cards.filter(({ version }) => version <= newest);
}

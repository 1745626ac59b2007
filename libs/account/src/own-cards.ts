import { isIndexKey, productOfKey } from '#rating/key-parts.js';
import type { AccountState } from './state.js';

/** Versions of own rate cards by product, but for the index; null ends one. */
export type OwnCards = Readonly<Record<string, number | null>>;

type Cards = Pick<AccountState, 'rateCard' | 'rateCards'>;

/** Version of an account's own card for the product of a key; undefined: it has none. */
export function ownCard({ rateCard, rateCards }: Cards, key: string): number | undefined {
  if (isIndexKey(key)) return rateCard ?? undefined;
  return rateCards === undefined ? undefined : versionIn(rateCards, productOfKey(key));
}

/** The version of every own card of an account. */
export function ownCards({ rateCard, rateCards = {} }: Cards): readonly number[] {
  const others = Object.values(rateCards);
  return rateCard === null ? others : [rateCard, ...others];
}

/** Those of the cards that an account does not have yet, and ends of those that it has. */
export function changedCards(
  { rateCards = {} }: Pick<AccountState, 'rateCards'>,
  cards: OwnCards,
): OwnCards | undefined {
  const changed = Object.entries(cards).filter(
    ([product, version]) => (versionIn(rateCards, product) ?? null) !== version,
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** An account's own cards after a change; undefined: none. */
export function cardsAfter(
  { rateCards }: Pick<AccountState, 'rateCards'>,
  cards: OwnCards,
): AccountState['rateCards'] {
  const after = Object.entries({ ...rateCards, ...cards }).filter(
    (entry): entry is [string, number] => entry[1] !== null,
  );
  return after.length === 0 ? undefined : Object.fromEntries(after);
}

function versionIn(cards: Readonly<Record<string, number>>, product: string): number | undefined {
  return Object.hasOwn(cards, product) ? cards[product] : undefined;
}

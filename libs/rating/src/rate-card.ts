import { isWindowLabel } from '#calendar/window-label.js';
import { Faults, below } from './faults.js';
import type { Fault } from './faults.js';
import { INDEX } from './index-keys.js';
import { isName, type NamedResource } from './named-resource.js';
import { validateRules } from './validate-rules.js';

/** The resources of a rule: every given member must equal the resource's. None: all. */
export type RateMatch = NamedResource;

/**
 * Credits for the data of a first call: the same for any answer, for each of its rows, or for its
 * units, each at its own price, of which so many make one credit. The sum is rounded up once.
 */
export type DataCost =
  | { readonly flat: number }
  | { readonly per_row: number }
  | { readonly per: Readonly<Record<string, number>>; readonly of: number };

export interface RateRule {
  /** Unique in its card. Invoices and usage name it. */
  readonly name: string;
  readonly match: RateMatch;
  readonly data_cost: DataCost;
}

/** Prices of all calls from a window on. The first rule that matches gives the data cost. */
export interface RateCard {
  readonly version: number;
  /** The product that it prices; absent: the popularity index. */
  readonly product?: string;
  /**
   * Whether the first call of a key in a week pays for its data alone, or every call does; absent:
   * the first of a week.
   */
  readonly repeat?: 'week' | 'never';
  /**
   * Label of the first window that it prices. Null of the first card of all: from the beginning; of
   * a later one: it prices the accounts that name it, and nobody else.
   */
  readonly effective_window: string | null;
  /** Credits of every call, first or repeated. */
  readonly call_cost: number;
  readonly rules: readonly RateRule[];
}

/** Version of the card that is built in. */
export const FIRST_VERSION = 1;

/**
 * The first rate card. With its call cost of 10 it gives the base rates of specification 8.1:
 * 50,000, 60,000, 10,000 and 35 credits, and 1,760 for a time series.
 */
export const RATE_CARD_1: RateCard = {
  version: FIRST_VERSION,
  effective_window: null,
  call_cost: 10,
  rules: [
    {
      name: 'all beauty trends',
      match: { resource: 'trends', limit: 'all', category: 'beauty' },
      data_cost: { flat: 49_990 },
    },
    {
      name: 'all beauty brands',
      match: { resource: 'brands', limit: 'all', category: 'beauty' },
      data_cost: { flat: 59_990 },
    },
    {
      name: 'all skincare trends',
      match: { resource: 'trends', limit: 'all', category: 'skincare' },
      data_cost: { flat: 9_990 },
    },
    { name: 'top 5', match: { limit: 'top5' }, data_cost: { flat: 25 } },
    { name: 'time series', match: { resource: 'timeseries' }, data_cost: { flat: 1_750 } },
    { name: 'per row', match: {}, data_cost: { per_row: 5 } },
  ],
};

/** Members of a rate card. A card that is being proposed lacks some of them. */
export const RATE_CARD_MEMBERS = ['version', 'effective_window', 'call_cost', 'rules'] as const;
export type RateCardMember = (typeof RATE_CARD_MEMBERS)[number];

/** A card may have these too. */
export const OPTIONAL_MEMBERS = ['product', 'repeat'] as const;

/**
 * Everything that keeps a JSON value from being a rate card with exactly these members (all of them
 * by default), or nothing. A card without faults has a price for every resource, and `priceOf`
 * never throws for it with up to a million rows.
 */
export function validateRateCard(
  value: unknown,
  members: readonly RateCardMember[] = RATE_CARD_MEMBERS,
): Fault[] {
  const faults = new Faults();
  const card = faults.object('', value, [...members, ...OPTIONAL_MEMBERS]);
  if (card === undefined) return faults.found;
  const product = validateProduct(faults, card);
  for (const name of members) {
    if (faults.has('', card, name)) validateMember(faults, name, card[name], card, product);
  }
  return faults.found;
}

/** The product of a card, and how its calls repeat. */
function validateProduct(
  faults: Faults,
  { product = INDEX, repeat = 'week' }: Readonly<Record<string, unknown>>,
): string {
  const isNamed = typeof product === 'string' && isName(product);
  if (!isNamed) faults.add('/product', 'must be 1 to 32 characters of a to z, 0 to 9 and "-"');
  if (repeat !== 'week' && repeat !== 'never') faults.add('/repeat', 'must be week or never');
  else if (repeat === 'never' && product === INDEX) {
    faults.add('/repeat', `must be week of ${INDEX}: a first call of the index pays for its week`);
  }
  return isNamed ? product : INDEX;
}

function validateMember(
  faults: Faults,
  name: RateCardMember,
  value: unknown,
  card: Readonly<Record<string, unknown>>,
  product: string,
): void {
  const pointer = below('', name);
  switch (name) {
    case 'version':
      faults.count(pointer, value, 1, Number.MAX_SAFE_INTEGER);
      break;
    case 'effective_window':
      if (value === null || (typeof value === 'string' && isWindowLabel(value))) break;
      faults.add(pointer, 'must be null or the label of a week, such as 2026w47');
      break;
    case 'call_cost':
      faults.count(pointer, value, 0, Number.MAX_SAFE_INTEGER);
      break;
    case 'rules':
      validateRules(faults, pointer, value, creditsLeft(card.call_cost), product);
      break;
  }
}

/** The highest data cost at which a price is still an exact number. */
function creditsLeft(callCost: unknown): number {
  const known = typeof callCost === 'number' && Number.isSafeInteger(callCost) && callCost >= 0;
  return Number.MAX_SAFE_INTEGER - (known ? callCost : 0);
}

import type { Confidence } from '#account/outlook.js';
import type { RateCard } from '#rating/rate-card.js';
import type { RateCardDiff } from '#rating/diff-rate-cards.js';

/** The price of credits in money; amounts are minor units. */
export interface CreditPriceView {
  readonly per_1000_credits: number;
  readonly currency: string;
  /** The plan's price beyond its included credits, or what the credits were bought for. */
  readonly basis: 'plan' | 'purchase';
}

/** Credits that an account is expected to spend, day by day. */
export interface ForecastView {
  readonly confidence: Confidence;
  readonly month_credits: number;
  readonly next_window_credits: number;
  /** The rest of today and the days after it, to the end of the month and of the next window. */
  readonly days: readonly {
    readonly day: string;
    readonly window: string;
    readonly credits: number;
  }[];
  readonly credit_price: CreditPriceView | null;
}

export interface CardPricesView extends Pick<
  RateCard,
  'version' | 'effective_window' | 'call_cost' | 'rules'
> {
  readonly effective_from: string | null;
  /** Cost of the account's weekly first calls by this card. */
  readonly weekly_credits: number;
}

/** The prices of an account now, and those that are announced. */
export interface PricesView {
  readonly in_force: CardPricesView;
  /** Whether the account has a card of its own, which no announced one replaces. */
  readonly own: boolean;
  readonly next: (CardPricesView & { readonly changes: RateCardDiff }) | null;
}

export interface OutlookView {
  readonly forecast: ForecastView;
  readonly prices: PricesView;
}

import type { Terms } from '#account/decide-call.js';
import { forecast } from '#account/forecast.js';
import { cardOf, outlookOf, type Stretch, weekAt } from '#account/outlook.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import { formatInstant } from '#calendar/instant.js';
import { diffRateCards } from '#rating/diff-rate-cards.js';
import { INDEX } from '#rating/index-keys.js';
import { productOf } from '#rating/named-resource.js';
import { RATE_CARD_1, type RateCard } from '#rating/rate-card.js';
import type {
  CardPricesView,
  CreditPriceView,
  ForecastView,
  OutlookView,
  PricesView,
} from '../views/outlook-view.js';

/** An account's spending and prices to come; the state must be advanced to the moment `at`. */
export function outlookView(state: AccountState, at: number, terms: Terms): OutlookView {
  return { forecast: forecastView(state, at, terms), prices: pricesView(state, at, terms) };
}

function forecastView(state: AccountState, at: number, terms: Terms): ForecastView {
  const { calendar, cards } = terms;
  const { confidence, monthCredits, nextWindowCredits } = forecast(state, at, terms);
  const { days } = outlookOf(state, at, calendar, cards);
  const next = calendar.nextWindow(calendar.windowAt(at)).endsAt;
  const until = Math.max(next, calendar.monthAt(at).endsAt);
  return {
    confidence,
    month_credits: monthCredits,
    next_window_credits: nextWindowCredits,
    days: days.filter(({ from }) => from < until).map((day) => dayView(day, calendar)),
    credit_price: priceOf(state),
  };
}

/** By its middle: where clocks change it begins in the day before. */
function dayView({ from, to, credits }: Stretch, calendar: Calendar): ForecastView['days'][0] {
  const middle = Math.floor((from + to) / 2);
  const { label: day } = calendar.dayAt(middle);
  return { day, window: calendar.windowAt(middle).label, credits: Math.round(credits) };
}

/** Of the plan, else of the purchase that is drawn on first. */
function priceOf({ plan, grants, currency }: AccountState): CreditPriceView | null {
  if (plan !== null) {
    return { per_1000_credits: plan.price_per_1000_credits, currency, basis: 'plan' };
  }
  const worth = grants.find((grant) => grant.worth !== undefined)?.worth;
  if (worth === undefined || worth.credits === 0) return null;
  const price = Math.round((worth.amount * 1_000) / worth.credits);
  return { per_1000_credits: price, currency, basis: 'purchase' };
}

function pricesView(state: AccountState, at: number, { calendar, cards }: Terms): PricesView {
  const ofIndex = cards.filter((card) => productOf(card) === INDEX);
  const known = ofIndex.length === 0 ? [RATE_CARD_1] : ofIndex;
  const { label: running } = calendar.windowAt(at);
  const viewOf = (card: RateCard): CardPricesView => {
    const { version, effective_window: label, call_cost, rules } = card;
    const window = label === null ? undefined : calendar.windowOf(label);
    const effective_from = window === undefined ? null : formatInstant(window.startsAt);
    const weekly_credits = weekAt(state, at, calendar, card);
    return { version, effective_window: label, effective_from, call_cost, rules, weekly_credits };
  };
  const card = cardOf(state, running, known) ?? RATE_CARD_1;
  const coming = known
    .flatMap(({ effective_window: label }) => (label !== null && label > running ? [label] : []))
    .toSorted()
    .map((label) => cardOf(state, label, known))
    .find((one) => one !== null && one.version !== card.version);
  const next = coming && { ...viewOf(coming), changes: diffRateCards(card, coming) };
  return { in_force: viewOf(card), own: state.rateCard !== null, next: next ?? null };
}

import type { Calendar } from '#calendar/calendar.js';
import type { Window } from '#calendar/window.js';
import { pricedResource } from '#rating/priced-path.js';
import type { RateCard } from '#rating/rate-card.js';
import { cardInForce, dataCredits, ruleFor } from '#rating/rate.js';
import { WINDOW_DAYS } from './calls.js';
import type { AccountState, WindowRhythm } from './state.js';

const DAY_MS = 86_400_000;

/** Days that are looked at one by one: more than a month, and whole weeks. */
const DAYS_AHEAD = 63;

/** Windows before the running one that a forecast looks at. */
const WINDOWS_BEFORE = 4;

/** Windows that a forecast knows before it is sure, and before it says anything. */
const SURE = { high: 4, medium: 2 } as const;

/** How far a forecast is to be trusted: it knows four windows, two, or fewer or uneven ones. */
export type Confidence = 'high' | 'medium' | 'low';

/** Credits that will be spent from one moment to another. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly credits: number;
}

/** Known windows of an account, newest first; of one without calls null. */
interface KnownWindows {
  readonly running: WindowRhythm | null;
  readonly before: readonly (WindowRhythm | null)[];
}

export interface Outlook {
  readonly confidence: Confidence;
  /** Cost of the next window's first calls, as they were made in this or the last one. */
  readonly nextBase: number;
  /** The rest of the day and the days after it, for nine weeks. */
  readonly days: readonly Stretch[];
}

function sumOf(credits: readonly number[]): number {
  return credits.reduce((sum, one) => sum + one, 0);
}

function knownOf(
  state: AccountState,
  at: number,
  calendar: Calendar,
  rhythm = state.rhythm,
): KnownWindows {
  const { openedAt, closedAt } = state;
  if (closedAt !== null) return { running: null, before: [] };
  const byLabel = new Map(rhythm.map((one) => [one.window, one]));
  const window = calendar.windowAt(at);
  const before: (WindowRhythm | null)[] = [];
  let one = calendar.previousWindow(window);
  while (before.length < WINDOWS_BEFORE && one.endsAt > openedAt) {
    before.push(byLabel.get(one.label) ?? null);
    one = calendar.previousWindow(one);
  }
  // An account that was opened in the middle of a window is not idle before.
  while (before.length > 0 && before.at(-1) === null && one.endsAt <= openedAt) before.pop();
  return { running: byLabel.get(window.label) ?? null, before };
}

/** The prices of an account's calls of the index in a window: of its card, or as announced. */
export function cardOf(
  state: AccountState,
  window: string,
  cards: readonly RateCard[],
): RateCard | null {
  const version = state.rateCard ?? state.pinnedCards[window];
  if (version !== undefined) return cards.find((card) => card.version === version) ?? null;
  return cards.length === 0 ? null : cardInForce(cards, window);
}

/** The first calls of a window at the prices of a card: what a quote of them would say. */
function baseAt({ first, base, card: then }: WindowRhythm, card: RateCard | null): number {
  if (card === null || card.version === then) return sumOf(base);
  return first.reduce((total, { path, calls, rows }) => {
    const { data_cost: cost } = ruleFor(card, pricedResource(path));
    const data = 'flat' in cost ? calls * cost.flat : dataCredits(cost, rows);
    return total + calls * card.call_cost + data;
  }, 0);
}

/** The repeated calls of a window at the prices of a card, by its days. */
function repeatsAt({ repeats, repeatCalls }: WindowRhythm, card: RateCard | null) {
  return card === null ? repeats : repeatCalls.map((calls) => calls * card.call_cost);
}

/** In the middle of values; between two their mean. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/**
 * The first calls of a coming window. Those of the last window are made again, or as many as the
 * running one has already; where only one of the newest two was called in, half of the windows
 * decide.
 */
function baseOf({ running, before }: KnownWindows, card: RateCard | null): number {
  const closed = before.map((one) => (one === null ? 0 : baseAt(one, card)));
  const now = running === null ? 0 : baseAt(running, card);
  const isNow = now > 0;
  const newest = isNow ? [now, ...closed] : closed;
  const [first = 0, second = first] = newest;
  if (first > 0 !== second > 0) return medianOf(newest.slice(0, WINDOWS_BEFORE));
  return isNow ? Math.max(first, second) : first;
}

function isUneven({ running, before }: KnownWindows): boolean {
  const active = before.filter((one) => one !== null).length;
  return active > 0 && active < before.length && (running === null || active < 2);
}

/** How first calls lie on the days of a window, as parts of 1; without any all on its Tuesday. */
function sharesOf({ running, before }: KnownWindows): readonly number[] {
  const rhythms = before.filter((one) => one !== null);
  const looked = rhythms.length > 0 ? rhythms : running === null ? [] : [running];
  const days = Array.from({ length: WINDOW_DAYS }, (_, day) =>
    sumOf(looked.map(({ base }) => base[day] ?? 0)),
  );
  const total = sumOf(days);
  return days.map((credits, day) => (total === 0 ? Number(day === 0) : credits / total));
}

/** Repeated calls by day of a window: their mean over the windows before, at a card's prices. */
function repeatsOf(
  { running, before }: KnownWindows,
  today: number,
  card: RateCard | null,
): readonly number[] {
  const isStopped = running === null && before.length > 1 && !before[0] && !before[1];
  if (isStopped) return Array.from({ length: WINDOW_DAYS }, () => 0);
  if (before.length > 0) {
    const priced = before.map((one) => (one === null ? [] : repeatsAt(one, card)));
    return Array.from(
      { length: WINDOW_DAYS },
      (_, day) => sumOf(priced.map((days) => days[day] ?? 0)) / before.length,
    );
  }
  const mean = running === null ? 0 : sumOf(repeatsAt(running, card)) / (today + 1);
  return Array.from({ length: WINDOW_DAYS }, () => mean);
}

/** Credits that the days of a window are expected to see. */
interface Week {
  readonly base: number;
  /** Parts of the base by day, and repeats by day. */
  readonly shares: readonly number[];
  readonly repeats: readonly number[];
}

/** The running window as far as it has come: its day, and what was spent by then. */
interface RunningWindow {
  readonly at: number;
  readonly today: number;
  readonly spent: WindowRhythm | null;
}

/** The days of a window to come; of the running one the rest, less what was spent of it. */
function daysOf(
  window: Window,
  { base, shares, repeats }: Week,
  now: RunningWindow | null,
): Stretch[] {
  const days: Stretch[] = [];
  let open = Math.max(0, base - sumOf(now?.spent?.base ?? []));
  for (let day = now?.today ?? 0; day < WINDOW_DAYS; day += 1) {
    const isToday = day === now?.today;
    const spent = isToday ? now.spent : null;
    const first = Math.min(open, base * (shares[day] ?? 0) - (spent?.base[day] ?? 0));
    const again = (repeats[day] ?? 0) - (spent?.repeats[day] ?? 0);
    open -= Math.max(0, first);
    const from = isToday ? now.at : window.startsAt + day * DAY_MS;
    const to = day === WINDOW_DAYS - 1 ? window.endsAt : window.startsAt + (day + 1) * DAY_MS;
    if (to > from) days.push({ from, to, credits: Math.max(0, first) + Math.max(0, again) });
  }
  return days;
}

function confidenceOf(known: KnownWindows): Confidence {
  if (isUneven(known)) return 'low';
  const windows = known.before.length;
  return windows >= SURE.high ? 'high' : windows >= SURE.medium ? 'medium' : 'low';
}

/** The first calls of a coming window, as they were made last, at the prices of a card. */
export function weekAt(
  state: AccountState,
  at: number,
  calendar: Calendar,
  card: RateCard,
): number {
  return Math.round(baseOf(knownOf(state, at, calendar), card));
}

/**
 * Spending to come of an account that goes on as it did: in each window the first calls of the last
 * one once more, at the prices that are announced for it, and the repeats that its days have seen.
 * The state must be advanced to the moment `at` (ms since 1970). Without cards prices stay, and so
 * do those of all products but the index.
 */
export function outlookOf(
  state: AccountState,
  at: number,
  calendar: Calendar,
  cards: readonly RateCard[],
): Outlook {
  const ofIndex = outlookAfter(knownOf(state, at, calendar), at, calendar, (window) =>
    cardOf(state, window, cards),
  );
  if (state.otherRhythm === undefined) return ofIndex;
  const known = knownOf(state, at, calendar, state.otherRhythm);
  return together(
    ofIndex,
    outlookAfter(known, at, calendar, () => null),
  );
}

/** Both outlooks have the same days. The less certain one says how far both are to be trusted. */
function together(one: Outlook, other: Outlook): Outlook {
  const order: readonly Confidence[] = ['low', 'medium', 'high'];
  const least = Math.min(order.indexOf(one.confidence), order.indexOf(other.confidence));
  return {
    confidence: order[least] ?? 'low',
    nextBase: one.nextBase + other.nextBase,
    days: one.days.map((day, index) => {
      return { ...day, credits: day.credits + (other.days[index]?.credits ?? 0) };
    }),
  };
}

function outlookAfter(
  known: KnownWindows,
  at: number,
  calendar: Calendar,
  cardIn: (window: string) => RateCard | null,
): Outlook {
  let window = calendar.windowAt(at);
  const today = Math.min(WINDOW_DAYS - 1, Math.floor((at - window.startsAt) / DAY_MS));
  const shares = sharesOf(known);
  const weeks = new Map<RateCard | null, Week>();
  const weekIn = ({ label }: Window): Week => {
    const card = cardIn(label);
    const priced = weeks.get(card);
    if (priced !== undefined) return priced;
    const week = { base: baseOf(known, card), shares, repeats: repeatsOf(known, today, card) };
    weeks.set(card, week);
    return week;
  };
  const days = daysOf(window, weekIn(window), { at, today, spent: known.running });
  window = calendar.nextWindow(window);
  const nextBase = Math.round(weekIn(window).base);
  while (days.length < DAYS_AHEAD) {
    days.push(...daysOf(window, weekIn(window), null));
    window = calendar.nextWindow(window);
  }
  return { confidence: confidenceOf(known), nextBase, days };
}

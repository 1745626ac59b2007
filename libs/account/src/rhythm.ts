import { tuesdayOfWeek, weekOfLabel } from '#calendar/window-label.js';
import { pricedPath } from '#rating/priced-path.js';
import type { CallMade } from './events.js';

const DAY_MS = 86_400_000;
/** Days of a window, from its Tuesday on. */
export const WINDOW_DAYS = 7;
/** The window that was called in last, and four before it. */
const WINDOWS_MAX = 5;
/** Sums of a window that are kept by category; later ones leave the category out. */
const SUMS_MAX = 512;

/** First calls that fall under the same rule of any card, summed so that each can price them. */
export interface FirstCalls {
  /** The path that their keys share, as `pricedPath` gives it. */
  readonly path: string;
  readonly calls: number;
  readonly rows: number;
}

/** Spending of an account in one window, in credits by day. Its Tuesday is the first. */
export interface WindowRhythm {
  /** Its label, and midnight of its Tuesday in UTC, ms since 1970. */
  readonly window: string;
  readonly tuesday: number;
  readonly base: readonly number[];
  readonly repeats: readonly number[];
  readonly repeatCalls: readonly number[];
  readonly first: readonly FirstCalls[];
  /** Version of the card that has priced all its calls; null if several have. */
  readonly card: number | null;
}

const NO_DAYS: readonly number[] = Array.from({ length: WINDOW_DAYS }, () => 0);

/**
 * The day of a moment in a window, 0 to 6. Days are those of UTC here: the billing zone is unknown
 * where events are applied, and a few hours do not matter to a forecast.
 */
export function dayIn(tuesday: number, at: number): number {
  return Math.min(WINDOW_DAYS - 1, Math.max(0, Math.floor((at - tuesday) / DAY_MS)));
}

function added(days: readonly number[], day: number, credits: number): readonly number[] {
  return days.with(day, (days[day] ?? 0) + credits);
}

function summed(first: readonly FirstCalls[], { key, rows }: CallMade): readonly FirstCalls[] {
  const indexOf = (path: string): number => first.findIndex((sum) => sum.path === path);
  let path = pricedPath(key);
  let index = indexOf(path);
  if (index < 0 && first.length >= SUMS_MAX) {
    path = pricedPath(key, true);
    index = indexOf(path);
  }
  const known = first[index];
  if (known === undefined) return [...first, { path, calls: 1, rows }];
  return first.with(index, { path, calls: known.calls + 1, rows: known.rows + rows });
}

function begun(window: string): Omit<WindowRhythm, 'card'> {
  const tuesday = tuesdayOfWeek(weekOfLabel(window) ?? 0) * DAY_MS;
  return { window, tuesday, base: NO_DAYS, repeats: NO_DAYS, repeatCalls: NO_DAYS, first: [] };
}

/**
 * The rhythm, newest window first, after one more call in a window (its label). What names the data
 * of a past week is asked for once, and no part of it.
 */
export function rhythmAfter(
  rhythm: readonly WindowRhythm[],
  window: string,
  call: CallMade,
  at: number,
): readonly WindowRhythm[] {
  if (call.window !== undefined) return rhythm;
  const [newest] = rhythm;
  const isNew = newest?.window !== window;
  const before = isNew ? begun(window) : newest;
  const { tuesday, base, repeats, repeatCalls, first } = before;
  const credits = call.cost[0] + call.cost[1];
  const day = dayIn(tuesday, at);
  const isBase = call.kind === 'base';
  const after: WindowRhythm = {
    window,
    tuesday,
    base: isBase ? added(base, day, credits) : base,
    repeats: isBase ? repeats : added(repeats, day, credits),
    repeatCalls: isBase ? repeatCalls : added(repeatCalls, day, 1),
    first: isBase ? summed(first, call) : first,
    card: isNew || newest.card === call.card ? call.card : null,
  };
  return isNew ? [after, ...rhythm.slice(0, WINDOWS_MAX - 1)] : rhythm.with(0, after);
}

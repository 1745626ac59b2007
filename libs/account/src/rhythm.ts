import { tuesdayOfWeek, weekOfLabel } from '#calendar/window-label.js';
import type { CallMade } from './events.js';

const DAY_MS = 86_400_000;
/** Days of a window, from its Tuesday on. */
export const WINDOW_DAYS = 7;
/** The window that was called in last, and four before it. */
const WINDOWS_MAX = 5;

/** First calls that one rule has priced, summed so that another card can price them too. */
export interface RuleSum {
  readonly rule: string;
  readonly calls: number;
  readonly rows: number;
  readonly credits: number;
}

/** Spending of an account in one window, in credits by day. Its Tuesday is the first. */
export interface WindowRhythm {
  /** Its label, and midnight of its Tuesday in UTC, ms since 1970. */
  readonly window: string;
  readonly tuesday: number;
  readonly base: readonly number[];
  readonly repeats: readonly number[];
  readonly rules: readonly RuleSum[];
  /** Version of the card of its last call. */
  readonly card: number;
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

function ruled(rules: readonly RuleSum[], { rule, rows }: CallMade, credits: number): RuleSum[] {
  const known = rules.find((sum) => sum.rule === rule) ?? { rule, calls: 0, rows: 0, credits: 0 };
  const sum = {
    rule,
    calls: known.calls + 1,
    rows: known.rows + rows,
    credits: known.credits + credits,
  };
  return [...rules.filter((other) => other !== known), sum];
}

function begun(window: string): Omit<WindowRhythm, 'card'> {
  const tuesday = tuesdayOfWeek(weekOfLabel(window) ?? 0) * DAY_MS;
  return { window, tuesday, base: NO_DAYS, repeats: NO_DAYS, rules: [] };
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
  const { tuesday, base, repeats, rules } = before;
  const credits = call.cost[0] + call.cost[1];
  const day = dayIn(tuesday, at);
  const isBase = call.kind === 'base';
  const after: WindowRhythm = {
    window,
    tuesday,
    base: isBase ? added(base, day, credits) : base,
    repeats: isBase ? repeats : added(repeats, day, credits),
    rules: isBase ? ruled(rules, call, credits) : rules,
    card: call.card,
  };
  return isNew ? [after, ...rhythm.slice(0, WINDOWS_MAX - 1)] : rhythm.with(0, after);
}

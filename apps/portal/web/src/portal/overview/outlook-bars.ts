import {
  addDays,
  daysBetween,
  firstOfNextMonth,
  shortDay,
  tuesdayOf,
  windowsBetween,
} from '../../format/days.js';
import type { WindowSpend } from './window-spend.js';
import type { Forecast, Usage } from '../../rest/answers.js';

type ExpectedDay = Forecast['days'][0];

/** Credits of a month up to the end of a day, as they were spent or are expected. */
export interface MonthDay {
  readonly day: string;
  readonly name: string;
  readonly spent: number;
  readonly expected: number;
}

/** The running month day by day, added up; `today` is in it. */
export function monthBars(
  usage: readonly Usage[],
  expected: readonly ExpectedDay[],
  today: string,
): MonthDay[] {
  const month = today.slice(0, 7);
  const first = `${month}-01`;
  const spentOn = sumBy(usage, ({ day }) => day ?? '', 'credits_used');
  const expectedOn = sumBy(expected, ({ day }) => day, 'credits');
  let spent = 0;
  let ahead = 0;
  return Array.from({ length: daysBetween(first, firstOfNextMonth(month)) }, (_, index) => {
    const day = addDays(first, index);
    spent += spentOn.get(day) ?? 0;
    if (day >= today) ahead += expectedOn.get(day) ?? 0;
    const name = shortDay(day);
    if (day > today) return { day, name, spent: 0, expected: spent + ahead };
    return { day, name, spent, expected: ahead };
  });
}

/** Credits of a window by kind of call, and what is expected of it beyond. */
export interface WindowBar extends WindowSpend {
  readonly expected: number;
}

/** Windows from the first one with calls to that after the running one, without gaps. */
export function windowBars(
  windows: readonly WindowSpend[],
  expected: readonly ExpectedDay[],
): WindowBar[] {
  const ahead = sumBy(expected, ({ window }) => window, 'credits');
  const known = new Map(windows.map((one) => [one.window, one]));
  const labels = [...known.keys(), ...[...ahead.keys()].slice(0, 2)].toSorted();
  return windowsBetween(labels.at(0), labels.at(-1)).map((window) => {
    const { base, repeat, repeats } = known.get(window) ?? { base: 0, repeat: 0, repeats: 0 };
    const name = shortDay(tuesdayOf(window));
    return { base, repeat, repeats, window, name, expected: ahead.get(window) ?? 0 };
  });
}

function sumBy<Item, Name extends keyof Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  name: Name,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    sums.set(key, (sums.get(key) ?? 0) + Number(item[name]));
  }
  return sums;
}

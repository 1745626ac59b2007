import { addDays } from '../../format/days.js';
import type { Span } from './usage-rows.js';

export interface Preset extends Span {
  readonly label: string;
}

export const WEEKS_4 = 28;

/** The usual ranges of a day. */
export function presetsOf(today: string): readonly Preset[] {
  const tomorrow = addDays(today, 1);
  const first = `${today.slice(0, 7)}-01`;
  const before = `${addDays(first, -1).slice(0, 7)}-01`;
  return [
    { label: 'This month', from: first, to: tomorrow },
    { label: 'Last month', from: before, to: first },
    { label: '4 weeks', from: addDays(tomorrow, -WEEKS_4), to: tomorrow },
  ];
}

import { shareOf, SOURCES, STORED_SOURCES } from './sources.js';

const POPULARITY_AND_CHANGES = [
  'popularity',
  'yoy_percent_increase',
  'yoy_absolute_increase',
  'qoq_percent_increase',
  'qoq_absolute_increase',
  'mom_percent_increase',
  'mom_absolute_increase',
];

/** Columns of stored figures, in the order of `figureMembers`. */
export const FIGURE_COLUMNS = [...POPULARITY_AND_CHANGES, ...STORED_SOURCES.map(shareOf)];

/** Members of a trend item from `popularity` on, in the order of specification 2.3. */
export function figureMembers(): readonly string[] {
  return [...POPULARITY_AND_CHANGES, ...SOURCES.map(shareOf)];
}

import { isTag, tagNameOf, type UsageDimension } from '#projections/views/usage-dimension.js';
import type { Column } from '#web/csv.js';
import type {
  CallView,
  GrantCallView,
  UsageSums,
  UsageView,
  WindowKeyView,
} from '#projections/views/account-reads.js';

/** Columns of a list of calls as CSV, in an order that stays. */
export const CALL_COLUMNS: readonly Column<CallView>[] = [
  { name: 'call_id', cell: (call) => call.call_id },
  { name: 'at', cell: (call) => call.at },
  { name: 'key', cell: (call) => call.key },
  { name: 'kind', cell: (call) => call.kind },
  { name: 'call_cost', cell: (call) => call.call_cost },
  { name: 'data_cost', cell: (call) => call.data_cost },
  { name: 'credits_used', cell: (call) => call.credits_used },
  { name: 'balance_after', cell: (call) => call.balance_after },
  { name: 'api_key_id', cell: (call) => call.api_key_id },
  { name: 'tags', cell: (call) => tagText(call.tags) },
];

/** Columns of the calls that drew on a grant. */
export const GRANT_CALL_COLUMNS: readonly Column<GrantCallView>[] = [
  ...CALL_COLUMNS,
  { name: 'credits_drawn', cell: (call) => call.credits_drawn },
];

/** The sums themselves. */
export const SUMS_COLUMNS: readonly Column<UsageSums>[] = [
  { name: 'calls', cell: (sums) => sums.calls },
  { name: 'call_cost', cell: (sums) => sums.call_cost },
  { name: 'data_cost', cell: (sums) => sums.data_cost },
  { name: 'credits_used', cell: (sums) => sums.credits_used },
];

/** Columns of sums: what they are grouped by, in that order, and the sums. */
export function usageColumns(by: readonly UsageDimension[]): readonly Column<UsageView>[] {
  return [...by.map((name) => ({ name, cell: cellOf(name) })), ...SUMS_COLUMNS];
}

function cellOf(name: UsageDimension): (sums: UsageView) => string | null | undefined {
  if (name === 'tags') return ({ tags }) => tagText(tags ?? null);
  if (isTag(name)) return ({ tags }) => tags?.[tagNameOf(name)];
  return (sums) => sums[name];
}

/** Columns of a window's keys as CSV, in an order that stays. */
export const WINDOW_COLUMNS: readonly Column<WindowKeyView>[] = [
  { name: 'key', cell: (state) => state.key },
  { name: 'window', cell: (state) => state.window },
  { name: 'first_call_at', cell: (state) => state.first_call_at },
  { name: 'calls', cell: (state) => state.calls },
  { name: 'credits_used', cell: (state) => state.credits_used },
  { name: 'window_ends_at', cell: (state) => state.window_ends_at },
];

/** Tags as a client sends them: `team=nails, project=autumn`. */
function tagText(tags: NonNullable<UsageView['tags']> | null): string {
  return Object.entries(tags ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

import type { CallView, WindowKeyView } from '#ledger/account-reads.js';
import type { Column } from '#web/csv.js';

/** Columns of the list of keys called in a window, as CSV. Their order is for ever. */
export const WINDOW_COLUMNS: readonly Column<WindowKeyView>[] = [
  { name: 'key', cell: ({ key }) => key },
  { name: 'window', cell: ({ window }) => window },
  { name: 'first_call_at', cell: (row) => row.first_call_at },
  { name: 'calls', cell: ({ calls }) => calls },
  { name: 'credits_used', cell: (row) => row.credits_used },
  { name: 'window_ends_at', cell: (row) => row.window_ends_at },
];

/** Columns of the list of calls, as CSV. Their order is for ever. */
export const CALL_COLUMNS: readonly Column<CallView>[] = [
  { name: 'call_id', cell: (row) => row.call_id },
  { name: 'at', cell: ({ at }) => at },
  { name: 'key', cell: ({ key }) => key },
  { name: 'kind', cell: ({ kind }) => kind },
  { name: 'call_cost', cell: (row) => row.call_cost },
  { name: 'data_cost', cell: (row) => row.data_cost },
  { name: 'credits_used', cell: (row) => row.credits_used },
  { name: 'balance_after', cell: (row) => row.balance_after },
  { name: 'api_key_id', cell: (row) => row.api_key_id },
  { name: 'tags', cell: ({ tags }) => tagList(tags) },
];

/** As in the header that set them: `team=nails, project=autumn`. */
function tagList(tags: CallView['tags']): string | null {
  if (tags === null) return null;
  const pairs = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  return pairs.join(', ');
}

import type { Column } from '#web/csv.js';
import type { PreviewedAccount } from './rate-card.schemas.js';

/** A preview as CSV: one line an account. */
export const PREVIEW_COLUMNS: readonly Column<PreviewedAccount>[] = [
  { name: 'account_id', cell: ({ account_id: id }) => id },
  { name: 'name', cell: ({ name }) => name },
  { name: 'test', cell: ({ test }) => test },
  { name: 'rate_card', cell: ({ rate_card: card }) => card },
  { name: 'calls', cell: ({ calls }) => calls },
  { name: 'actual_credits', cell: ({ actual_credits: credits }) => credits },
  { name: 'preview_credits', cell: ({ preview_credits: credits }) => credits },
  { name: 'difference', cell: ({ difference }) => difference },
];

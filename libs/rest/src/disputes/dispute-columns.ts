import type { DisputeView } from '#ledger/views/dispute-view.js';
import type { Column } from '#web/csv.js';

/** Columns of disputes as CSV, in an order that stays. */
export const DISPUTE_COLUMNS: readonly Column<DisputeView>[] = [
  { name: 'id', cell: (dispute) => dispute.id },
  { name: 'account_id', cell: (dispute) => dispute.account_id },
  { name: 'status', cell: (dispute) => dispute.status },
  { name: 'opened_at', cell: (dispute) => dispute.opened_at },
  { name: 'reason', cell: (dispute) => dispute.reason },
  { name: 'call_ids', cell: (dispute) => dispute.call_ids.join(' ') },
  { name: 'disputed_credits', cell: (dispute) => dispute.disputed_credits },
  { name: 'resolved_at', cell: (dispute) => dispute.resolved_at },
  { name: 'answer', cell: (dispute) => dispute.answer },
  { name: 'given_back_credits', cell: (dispute) => dispute.given_back_credits },
  { name: 'account_name', cell: (dispute) => dispute.account_name },
];

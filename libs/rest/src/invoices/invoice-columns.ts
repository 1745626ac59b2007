import type { Column } from '#web/csv.js';
import type { CreditNoteSummary, InvoiceSummary } from '#projections/views/invoice-reads.js';

type ListedInvoice = Omit<InvoiceSummary, 'number'> & { readonly number: string | null };

/** Columns of a list of invoices as CSV, in an order that stays. */
export const INVOICE_COLUMNS: readonly Column<ListedInvoice>[] = [
  { name: 'number', cell: (invoice) => invoice.number ?? '' },
  { name: 'account_id', cell: (invoice) => invoice.account_id },
  { name: 'month', cell: (invoice) => invoice.month },
  { name: 'issue_date', cell: (invoice) => invoice.issue_date },
  { name: 'due_date', cell: (invoice) => invoice.due_date },
  { name: 'currency', cell: (invoice) => invoice.currency },
  { name: 'net_minor', cell: (invoice) => invoice.net },
  { name: 'tax_minor', cell: (invoice) => invoice.tax },
  { name: 'total_minor', cell: (invoice) => invoice.total },
  { name: 'status', cell: (invoice) => invoice.state.status },
  { name: 'paid_minor', cell: (invoice) => invoice.state.paid },
  { name: 'credited_minor', cell: (invoice) => invoice.state.credited },
  { name: 'due_minor', cell: (invoice) => invoice.state.due },
];

/** Columns of a list of credit notes as CSV. */
export const CREDIT_NOTE_COLUMNS: readonly Column<CreditNoteSummary>[] = [
  { name: 'number', cell: (note) => note.number },
  { name: 'account_id', cell: (note) => note.account_id },
  { name: 'invoice_number', cell: (note) => note.invoice_number },
  { name: 'month', cell: (note) => note.month },
  { name: 'issue_date', cell: (note) => note.issue_date },
  { name: 'currency', cell: (note) => note.currency },
  { name: 'net_minor', cell: (note) => note.net },
  { name: 'tax_minor', cell: (note) => note.tax },
  { name: 'total_minor', cell: (note) => note.total },
];

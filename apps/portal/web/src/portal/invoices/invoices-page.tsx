import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Documents } from '../../account/documents.js';
import { StatePill } from '../../account/invoice-state.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { HeldNotice } from './held-notice.js';
import type { CreditNoteSummary, InvoiceSummary } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { one } from '../../rest/reads.js';
import { actions, money, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

/** An invoice gets its number after the event that issues it; the number has no event here. */
const NUMBERED_MS = 5_000;

/** Invoices and credit notes, and what one that is held lacks. */
export function InvoicesPage() {
  const invoices = useQuery({
    ...one(portal.listInvoices({ limit: 1000, order: 'desc' })),
    refetchInterval: NUMBERED_MS,
  });
  return (
    <Page
      title="Billing"
      lead="An invoice of each month right after its end, and of each purchase at once. Amounts include tax."
    >
      <HeldInvoices />
      <Panel flush title="Invoices">
        <Loaded of={invoices}>
          {({ items }) =>
            !items.some(isIssued) ? (
              <Empty title="No invoices yet">
                Each is issued right after a purchase, or when a month has ended.
              </Empty>
            ) : (
              <DataTable label="Invoices" columns={COLUMNS} rows={items.filter(isIssued)} />
            )
          }
        </Loaded>
      </Panel>
      <CreditNotes />
    </Page>
  );
}

function isIssued({ number }: InvoiceSummary): boolean {
  return number !== null;
}

function HeldInvoices() {
  const held = useQuery(one(portal.listInvoices({ status: 'held' }))).data?.items ?? [];
  return held.map((invoice) => <HeldNotice key={invoice.id} invoice={invoice} />);
}

const COLUMNS: Columns<InvoiceSummary> = [
  {
    label: 'Number',
    sort: ({ number }) => number,
    cell: ({ number }) => <InvoiceLink number={number ?? ''} />,
  },
  text('Month', ({ month }) => month),
  {
    label: 'State',
    sort: ({ state }) => state.status,
    cell: ({ state }) => <StatePill status={state.status} />,
  },
  text('Issued', (invoice) => invoice.issue_date),
  text('Due', (invoice) => invoice.due_date),
  money(
    'Total',
    ({ total }) => total,
    ({ currency }) => currency,
  ),
  money(
    'Still due',
    ({ state }) => state.due || null,
    ({ currency }) => currency,
  ),
  actions(
    ({ number }) => <Documents of={portal.getInvoice} number={number ?? ''} formats={['pdf']} />,
    'Document',
  ),
];

function InvoiceLink({ number }: { readonly number: string }) {
  return (
    <Link to="/invoices/$number" params={{ number }}>
      {number}
    </Link>
  );
}

const NOTE_COLUMNS: Columns<CreditNoteSummary> = [
  text('Number', ({ number }) => number),
  {
    label: 'Of invoice',
    sort: (note) => note.invoice_number,
    cell: (note) => <InvoiceLink number={note.invoice_number} />,
  },
  text('Issued', (note) => note.issue_date),
  money(
    'Total',
    ({ total }) => total,
    ({ currency }) => currency,
  ),
  actions(
    ({ number }) => <Documents of={portal.getCreditNote} number={number} formats={['pdf']} />,
    'Document',
  ),
];

function CreditNotes() {
  const notes = useQuery(one(portal.listCreditNotes({ limit: 1000, order: 'desc' })));
  if (notes.data === undefined || notes.data.items.length === 0) return null;
  return (
    <Panel flush title="Credit notes">
      <DataTable
        label="Credit notes"
        columns={NOTE_COLUMNS}
        rows={notes.data.items}
        keyOf={({ number }) => number}
      />
    </Panel>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Documents } from '../../account/documents.js';
import { StatePill } from '../../account/invoice-state.js';
import { ReceivablesPanel } from '../../account/receivables-panel.js';
import { formatMoney } from '../../format/money.js';
import type { CreditNoteSummary, InvoiceSummary, ListedInvoice } from '../../rest/data-answers.js';
import { creditNotesQuery, heldInvoicesQuery, invoicesQuery } from '../../rest/data-queries.js';
import { RECEIVABLES, receivablesQuery } from '../../rest/data-queries.js';
import { PORTAL } from '../../rest/queries.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { numberCell } from '../../ui/table.js';
import { HeldNotice } from './held-notice.js';
import { MonthSoFar } from './month-so-far.js';
import { StatementPanel } from './statement-panel.js';

/** An invoice gets its number after the event that issues it; the number has no event here. */
const NUMBERED_MS = 5_000;

/** The month so far, and what was issued. */
export function InvoicesPage() {
  const invoices = useQuery({ ...invoicesQuery, refetchInterval: NUMBERED_MS });
  return (
    <Page
      title="Invoices"
      lead="Of a month right after its end, of a purchase at once. What is issued never changes."
    >
      <HeldInvoices />
      <MonthSoFar />
      <Panel flush title="Issued">
        <Loaded of={invoices}>
          {({ items }) =>
            !items.some(isIssued) ? (
              <Empty title="No invoices yet">
                Each is issued right after a purchase, or when a month has ended.
              </Empty>
            ) : (
              <InvoiceTable items={items.filter(isIssued)} />
            )
          }
        </Loaded>
      </Panel>
      <CreditNotes />
      <ReceivablesPanel of={useQuery(receivablesQuery)} path={RECEIVABLES} />
      <StatementPanel />
    </Page>
  );
}

function isIssued(invoice: ListedInvoice): invoice is InvoiceSummary {
  return invoice.number !== null;
}

function HeldInvoices() {
  const held = useQuery(heldInvoicesQuery).data?.items ?? [];
  return held.map((invoice) => <HeldNotice key={invoice.id} invoice={invoice} />);
}

const COLUMNS: readonly SortedColumn<InvoiceSummary>[] = [
  { name: 'number', label: 'Number', value: ({ number }) => number },
  { name: 'month', label: 'Month', value: ({ month }) => month },
  { name: 'status', label: 'State', value: ({ state }) => state.status },
  { name: 'issue_date', label: 'Issued', value: ({ issue_date: date }) => date },
  { name: 'due_date', label: 'Due', value: ({ due_date: date }) => date },
  { name: 'total', label: 'Total', isNumber: true, value: ({ total }) => total },
  { name: 'due', label: 'Still due', isNumber: true, value: ({ state }) => state.due },
  { name: '', label: 'Document' },
];

/** The newest first, or as one chooses. */
function InvoiceTable({ items }: { readonly items: readonly InvoiceSummary[] }) {
  return (
    <SortedTable label="Invoices" columns={COLUMNS} rows={items}>
      {(invoice) => <InvoiceRow key={invoice.number} invoice={invoice} />}
    </SortedTable>
  );
}

function InvoiceRow({ invoice }: { readonly invoice: InvoiceSummary }) {
  const { number, month, currency, state } = invoice;
  return (
    <tr>
      <td>
        <Link to="/invoices/$number" params={{ number }}>
          {number}
        </Link>
      </td>
      <td>{month}</td>
      <td>
        <StatePill status={state.status} />
      </td>
      <td>{invoice.issue_date}</td>
      <td>{invoice.due_date}</td>
      <td className={numberCell}>{formatMoney(invoice.total, currency)}</td>
      <td className={numberCell}>{formatMoney(state.due, currency)}</td>
      <td>
        <Documents rest={PORTAL} number={number} formats={['pdf']} />
      </td>
    </tr>
  );
}

const NOTE_COLUMNS: readonly SortedColumn<CreditNoteSummary>[] = [
  { name: 'number', label: 'Number', value: ({ number }) => number },
  { name: 'invoice', label: 'Of invoice', value: ({ invoice_number: number }) => number },
  { name: 'issue_date', label: 'Issued', value: ({ issue_date: date }) => date },
  { name: 'total', label: 'Total', isNumber: true, value: ({ total }) => total },
  { name: '', label: 'Document' },
];

function CreditNotes() {
  const notes = useQuery(creditNotesQuery);
  if (notes.data === undefined || notes.data.items.length === 0) return null;
  return (
    <Panel flush title="Credit notes">
      <SortedTable label="Credit notes" columns={NOTE_COLUMNS} rows={notes.data.items}>
        {(note) => (
          <tr key={note.number}>
            <td>{note.number}</td>
            <td>
              <Link to="/invoices/$number" params={{ number: note.invoice_number }}>
                {note.invoice_number}
              </Link>
            </td>
            <td>{note.issue_date}</td>
            <td className={numberCell}>{formatMoney(note.total, note.currency)}</td>
            <td>
              <Documents
                rest={PORTAL}
                folder="credit-notes"
                number={note.number}
                formats={['pdf']}
              />
            </td>
          </tr>
        )}
      </SortedTable>
    </Panel>
  );
}

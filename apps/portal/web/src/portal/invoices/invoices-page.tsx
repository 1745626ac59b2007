import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatMoney } from '../../format/money.js';
import type { InvoiceState, InvoiceSummary } from '../../rest/data-answers.js';
import { creditNotesQuery, invoicesQuery } from '../../rest/data-queries.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { Table, numberCell } from '../../ui/table.js';
import { MonthSoFar } from './month-so-far.js';
import { PdfButton } from './documents.js';

/** The month so far, and what was issued. */
export function InvoicesPage() {
  const invoices = useQuery(invoicesQuery);
  return (
    <Page
      title="Invoices"
      lead="One a month, issued right after its end. What is issued never changes."
    >
      <MonthSoFar />
      <Panel flush title="Issued">
        <Loaded of={invoices}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No invoices yet">
                The first one is issued when this month has ended.
              </Empty>
            ) : (
              <Table label="Invoices" head={COLUMNS}>
                {items.toSorted(byMonth).map((invoice) => (
                  <InvoiceRow key={invoice.number} invoice={invoice} />
                ))}
              </Table>
            )
          }
        </Loaded>
      </Panel>
      <CreditNotes />
    </Page>
  );
}

function byMonth(one: InvoiceSummary, other: InvoiceSummary): number {
  return one.month < other.month ? 1 : -1;
}

const COLUMNS = (
  <tr>
    <th scope="col">Number</th>
    <th scope="col">Month</th>
    <th scope="col">State</th>
    <th scope="col">Issued</th>
    <th scope="col">Due</th>
    <th scope="col" className={numberCell}>
      Total
    </th>
    <th scope="col" className={numberCell}>
      Still due
    </th>
    <th scope="col">
      <span className="visually-hidden">Document</span>
    </th>
  </tr>
);

const STATES: Readonly<Record<InvoiceState['status'], { tone: Tone; label: string }>> = {
  issued: { tone: 'info', label: 'issued' },
  partly_paid: { tone: 'warn', label: 'partly paid' },
  paid: { tone: 'good', label: 'paid' },
  overdue: { tone: 'bad', label: 'overdue' },
  credited: { tone: 'plain', label: 'credited' },
};

export function StatePill({ status }: { readonly status: InvoiceState['status'] }) {
  const { tone, label } = STATES[status];
  return <Pill tone={tone}>{label}</Pill>;
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
        <PdfButton number={number} />
      </td>
    </tr>
  );
}

function CreditNotes() {
  const notes = useQuery(creditNotesQuery);
  if (notes.data === undefined || notes.data.items.length === 0) return null;
  return (
    <Panel flush title="Credit notes">
      <Table label="Credit notes" head={NOTE_COLUMNS}>
        {notes.data.items.map((note) => (
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
              <PdfButton number={note.number} folder="credit-notes" />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

const NOTE_COLUMNS = (
  <tr>
    <th scope="col">Number</th>
    <th scope="col">Of invoice</th>
    <th scope="col">Issued</th>
    <th scope="col" className={numberCell}>
      Total
    </th>
    <th scope="col">
      <span className="visually-hidden">Document</span>
    </th>
  </tr>
);

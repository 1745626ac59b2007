import { Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Documents } from '../../account/documents.js';
import { INVOICE_STATES } from '../../account/invoice-state.js';
import { formatMoney } from '../../format/money.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { Heads, Table, numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import { ADMIN, creditNotesQuery } from '../rest/admin-queries.js';
import { InvoiceList } from './invoice-list.js';
import { InvoiceRuns } from './invoice-runs.js';

const TESTS = [
  { value: 'false', label: 'customers' },
  { value: 'true', label: 'test accounts' },
];

/** Issued invoices with their states, and runs that issue due ones. */
export function InvoicesPage() {
  const [month, setMonth] = useState('');
  const [status, setStatus] = useState<string | null>(null);
  const [test, setTest] = useState<string | null>(null);
  const ofMonth = { month, test: test ?? '' };
  return (
    <Page
      wide
      title="Invoices"
      lead="Issued by themselves, or held until what they lack is corrected. What is issued never changes."
    >
      <InvoiceRuns />
      <div className={css.filters}>
        <TextInput
          type="month"
          label="Month"
          value={month}
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
        <Select
          label="State"
          placeholder="any"
          data={INVOICE_STATES}
          value={status}
          onChange={setStatus}
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
        />
        <Select
          label="Of"
          placeholder="all"
          data={TESTS}
          value={test}
          onChange={setTest}
          clearable
          clearButtonProps={{ 'aria-label': 'All accounts' }}
        />
      </div>
      <Panel flush title="Invoices">
        <InvoiceList filter={{ ...ofMonth, status: status ?? '' }} />
      </Panel>
      <CreditNotes filter={ofMonth} />
    </Page>
  );
}

function CreditNotes({ filter }: { readonly filter: Readonly<Record<string, string>> }) {
  const notes = useInfiniteQuery(creditNotesQuery(filter));
  return (
    <Panel flush title="Credit notes">
      <Paged of={notes} empty={<Empty title="No credit notes here" />} rows={2}>
        {(items) => (
          <Table
            label="Credit notes"
            head={<Heads of={['Number', 'Of invoice', 'Month', 'Issued', '#Total', 'Documents']} />}
          >
            {items.map((note) => (
              <tr key={note.number}>
                <td>{note.number}</td>
                <td>
                  <Link to={`/invoices/${note.invoice_number}` as string}>
                    {note.invoice_number}
                  </Link>
                </td>
                <td>{note.month}</td>
                <td>{note.issue_date}</td>
                <td className={numberCell}>{formatMoney(note.total, note.currency)}</td>
                <td>
                  <Documents
                    rest={ADMIN}
                    folder="credit-notes"
                    number={note.number}
                    formats={['pdf', 'xml']}
                  />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Paged>
    </Panel>
  );
}

import { Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Documents } from '../../account/documents.js';
import { INVOICE_STATES } from '../../account/invoice-state.js';
import type { CreditNoteSummary } from '../../rest/data-answers.js';
import { isMoment } from '../../format/days.js';
import { formatMoney } from '../../format/money.js';
import { textsIn } from '../../frame/texts-in.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import { ADMIN, creditNotesQuery, invoicesQuery } from '../rest/admin-queries.js';
import { InvoiceList } from './invoice-list.js';
import { InvoiceRuns } from './invoice-runs.js';

const TESTS = [
  { value: 'false', label: 'customers' },
  { value: 'true', label: 'test accounts' },
];

const NOTES: readonly SortedColumn<CreditNoteSummary>[] = [
  { name: 'number', label: 'Number', value: ({ number }) => number },
  { name: 'invoice', label: 'Of invoice', value: (note) => note.invoice_number },
  { name: 'month', label: 'Month', value: ({ month }) => month },
  { name: 'issued', label: 'Issued', value: (note) => note.issue_date },
  { name: 'total', label: 'Total', isNumber: true, value: ({ total }) => total },
  { name: '', label: 'Documents' },
];

const readSearch = textsIn('month', 'status', 'test');

/** A change of the filter. */
interface InvoicesSearch {
  readonly month?: string;
  readonly status?: string | null;
  readonly test?: string | null;
}

/** Issued invoices with their states, and runs that issue due ones. */
export function InvoicesPage() {
  const search = readSearch(useSearch({ strict: false }));
  const month = isMoment(`${search.month}-01`) ? (search.month ?? '') : '';
  const status = INVOICE_STATES.find(({ value }) => value === search.status)?.value ?? null;
  const test = TESTS.find(({ value }) => value === search.test)?.value ?? null;
  const navigate = useNavigate();
  const set = (change: InvoicesSearch) => {
    const next = Object.entries({ month, status, test, ...change }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(next) as never, replace: true });
  };
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
          onChange={(event) => set({ month: event.currentTarget.value })}
        />
        <Select
          label="State"
          placeholder="any"
          data={INVOICE_STATES}
          value={status}
          onChange={(value) => set({ status: value })}
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
        />
        <Select
          label="Of"
          placeholder="all"
          data={TESTS}
          value={test}
          onChange={(value) => set({ test: value })}
          clearable
          clearButtonProps={{ 'aria-label': 'All accounts' }}
        />
      </div>
      {status === null && <Held filter={ofMonth} />}
      <Panel flush title="Invoices" aside="newest first">
        <InvoiceList filter={{ ...ofMonth, status: status ?? '' }} />
      </Panel>
      <CreditNotes filter={ofMonth} />
    </Page>
  );
}

/** Above all others; nothing where none is held. */
function Held({ filter }: { readonly filter: Readonly<Record<string, string>> }) {
  const asked = { ...filter, status: 'held' };
  const { data } = useInfiniteQuery(invoicesQuery(asked));
  if (data?.pages[0]?.items.length === 0 || data === undefined) return null;
  return (
    <Panel flush title="Held" aside="issued once what they lack is corrected">
      <InvoiceList filter={asked} />
    </Panel>
  );
}

function CreditNotes({ filter }: { readonly filter: Readonly<Record<string, string>> }) {
  const notes = useInfiniteQuery(creditNotesQuery(filter));
  return (
    <Panel flush title="Credit notes">
      <Paged of={notes} empty={<Empty title="No credit notes here" />} rows={2}>
        {(items) => (
          <SortedTable label="Credit notes" columns={NOTES} rows={items}>
            {(note) => (
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
            )}
          </SortedTable>
        )}
      </Paged>
    </Panel>
  );
}

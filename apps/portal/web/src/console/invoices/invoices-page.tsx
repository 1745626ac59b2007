import { Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Documents } from '../../account/documents.js';
import { INVOICE_STATES } from '../../account/invoice-state.js';
import { isMoment } from '../../format/days.js';
import { textsIn } from '../../frame/texts-in.js';
import { Page, Panel } from '../../ui/page.js';
import css from '../console.module.css';
import { InvoiceList, type InvoiceFilter } from './invoice-list.js';
import { InvoiceRuns } from './invoice-runs.js';
import { admin } from '../admin.js';
import type { CreditNoteSummary, InvoiceStatus } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';
import { actions, money, text } from '../../ui/columns.js';
import { type Columns } from '../../ui/data-table.js';
import { ListPanel } from '../../ui/list-panel.js';

const TESTS = [
  { value: 'false', label: 'customers' },
  { value: 'true', label: 'test accounts' },
];

const NOTES: Columns<CreditNoteSummary> = [
  text('Number', ({ number }) => number),
  {
    label: 'Of invoice',
    sort: (note) => note.invoice_number,
    cell: ({ invoice_number: of }) => <Link to={`/invoices/${of}` as string}>{of}</Link>,
  },
  text('Month', ({ month }) => month),
  text('Issued', (note) => note.issue_date),
  money(
    'Total',
    ({ total }) => total,
    ({ currency }) => currency,
  ),
  actions(
    ({ number }) => <Documents of={admin.getCreditNote} number={number} formats={['pdf', 'xml']} />,
    'Documents',
  ),
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
  const ofMonth = { month, test: test === null ? null : test === 'true' };
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
        <InvoiceList filter={{ ...ofMonth, status: status as InvoiceStatus | null }} />
      </Panel>
      <CreditNotes filter={ofMonth} />
    </Page>
  );
}

/** Above all others; nothing where none is held. */
function Held({ filter }: { readonly filter: InvoiceFilter }) {
  const asked = { ...filter, status: 'held' } as const;
  const { data } = useInfiniteQuery(pages(admin.listInvoices({ order: 'desc', ...asked })));
  if (data?.pages[0]?.items.length === 0 || data === undefined) return null;
  return (
    <Panel flush title="Held" aside="issued once what they lack is corrected">
      <InvoiceList filter={asked} />
    </Panel>
  );
}

function CreditNotes({ filter }: { readonly filter: InvoiceFilter }) {
  return (
    <ListPanel
      title="Credit notes"
      of={admin.listCreditNotes({ order: 'desc', ...filter })}
      columns={NOTES}
      keyOf={({ number }) => number}
      empty={['No credit notes here']}
    />
  );
}

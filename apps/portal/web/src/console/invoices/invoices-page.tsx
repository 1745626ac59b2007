import { Checkbox, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
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
import { summaryQuery } from '../queries.js';
import type { CreditNoteSummary, InvoiceStatus } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';
import { actions, money, text } from '../../ui/columns.js';
import { type Columns } from '../../ui/data-table.js';
import { ListPanel } from '../../ui/list-panel.js';

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

const readSearch = textsIn('month', 'status');

/** A change of the filter. */
interface InvoicesSearch {
  readonly month?: string;
  readonly status?: string | null;
  readonly test?: boolean;
}

/** Issued invoices with their states, and runs that issue due ones. */
export function InvoicesPage() {
  const asked: { readonly test?: unknown } = useSearch({ strict: false });
  const search = readSearch(asked);
  const month = isMoment(`${search.month}-01`) ? (search.month ?? '') : '';
  const status = INVOICE_STATES.find(({ value }) => value === search.status)?.value ?? null;
  const { data: summary } = useQuery(summaryQuery(null));
  // Where there are test accounts alone, theirs are shown.
  const test = typeof asked.test === 'boolean' ? asked.test : (summary?.test ?? false);
  const navigate = useNavigate();
  const set = (change: InvoicesSearch) => {
    const next = Object.entries({ month, status, test, ...change }).filter(
      ([, value]) => value !== null && value !== '',
    );
    void navigate({ to: '.', search: Object.fromEntries(next) as never, replace: true });
  };
  const filter = { month, test };
  return (
    <Page
      wide
      title="Invoices"
      lead="The service issues an invoice when a month ends or credits are purchased, and holds it while details are missing. An issued invoice never changes."
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
        <Checkbox
          className={css.check}
          label="Test accounts"
          checked={test}
          onChange={(event) => set({ test: event.currentTarget.checked })}
        />
      </div>
      {status === null && <Held filter={filter} />}
      <Panel flush title={test ? 'Invoices of test accounts' : 'Invoices'}>
        <InvoiceList
          filter={{ ...filter, status: status as InvoiceStatus | null }}
          withHeld={status !== null}
        />
      </Panel>
      <CreditNotes filter={filter} />
    </Page>
  );
}

/** Above all others; nothing where none is held. */
function Held({ filter }: { readonly filter: InvoiceFilter }) {
  const asked = { ...filter, status: 'held' } as const;
  const { data } = useInfiniteQuery(pages(admin.listInvoices({ order: 'desc', ...asked })));
  if (data?.pages[0]?.items.length === 0 || data === undefined) return null;
  return (
    <Panel flush title="Held" aside="issued once the missing details are filled in">
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

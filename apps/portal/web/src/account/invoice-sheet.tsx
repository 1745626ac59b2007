import { Drawer } from '@mantine/core';
import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Read } from '#client/operations.js';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatMoney } from '../format/money.js';
import { CLOSE } from '../ui/confirm-button.js';
import { Facts, type Fact } from '../ui/facts.js';
import { Loaded } from '../ui/loaded.js';
import { Empty } from '../ui/notice.js';
import { Page, Panel } from '../ui/page.js';
import { Paged } from '../ui/paged.js';
import { Documents } from './documents.js';
import { InvoiceLines, Totals } from './invoice-lines.js';
import { partyFacts } from './party-facts.js';
import { StatePill } from './invoice-state.js';
import type { Call, Invoice, Page as PageOf, ShownInvoice } from '../rest/answers.js';
import { one, pages } from '../rest/reads.js';
import { moment, number } from '../ui/columns.js';
import { DataTable, type Columns } from '../ui/data-table.js';

interface InvoiceSheetProps {
  readonly document: (given: { readonly number: string }) => Read<Invoice>;
  readonly number: string;
  /** Content above it. */
  readonly notice?: (invoice: ShownInvoice) => ReactNode;
  /** A credit note by its number. */
  readonly creditNote: (given: { readonly number: string }) => Read<unknown>;
  /** Facts besides its state, dates and amounts. */
  readonly facts?: (invoice: ShownInvoice) => readonly Fact[];
  /** Actions for the invoice. */
  readonly actions?: (invoice: ShownInvoice) => ReactNode;
  /** The calls behind a line, and how one of them is shown. */
  readonly calls: (line: number) => Read<PageOf<Call>>;
  readonly call: (call: Call) => ReactNode;
  /** Content below it. */
  readonly children?: (invoice: ShownInvoice) => ReactNode;
}

/** One invoice: what became of it, its lines down to the calls, its documents. */
export function InvoiceSheet(props: InvoiceSheetProps) {
  const { document, notice, facts, actions, calls, call, children } = props;
  const of = useQuery(one(document({ number: props.number }))) as UseQueryResult<ShownInvoice>;
  // The address may name it by its id.
  const number = of.data?.number ?? props.number;
  const [line, setLine] = useState<number | null>(null);
  return (
    <Page
      title={of.data?.number === null ? 'Invoice without a number' : `Invoice ${number}`}
      lead={<Link to="/invoices">All invoices</Link>}
      actions={
        typeof of.data?.number === 'string' && (
          <Documents
            of={document}
            number={number}
            formats={['pdf', 'xml', 'cii.xml', 'csv', 'json']}
          />
        )
      }
    >
      <Loaded
        of={of}
        rows={8}
        missing={
          <Empty title={`There is no invoice ${number}`}>
            <Link to="/invoices">All invoices</Link>
          </Empty>
        }
      >
        {(invoice) => (
          <>
            {notice?.(invoice)}
            <Panel title="State" aside={actions?.(invoice)}>
              <Facts
                of={[
                  stateOf(invoice),
                  ...(facts?.(invoice) ?? []),
                  ...factsOf(invoice),
                  creditNotesOf(invoice, props.creditNote),
                ]}
              />
            </Panel>
            <Panel flush title="Lines" aside="a number of calls opens them">
              <InvoiceLines lines={invoice.lines} currency={invoice.currency} onCalls={setLine} />
              <Totals invoice={invoice} />
            </Panel>
            {children?.(invoice)}
            <Panel title="Seller">
              <Facts of={partyFacts(invoice.seller)} />
            </Panel>
            <Panel title="Buyer">
              <Facts of={partyFacts(invoice.buyer)} />
            </Panel>
          </>
        )}
      </Loaded>
      <Drawer
        opened={line !== null}
        onClose={() => setLine(null)}
        position="right"
        size="min(680px, 100vw)"
        title={`Calls behind line ${line ?? ''}`}
        closeButtonProps={CLOSE}
      >
        {line !== null && <LineCalls of={calls(line)}>{call}</LineCalls>}
      </Drawer>
    </Page>
  );
}

function creditNotesOf(
  { credit_notes: notes }: ShownInvoice,
  creditNote: InvoiceSheetProps['creditNote'],
): Fact {
  if (notes.length === 0) return ['Credit notes', 'none'];
  const shown = notes.map((each) => (
    <div key={each}>
      {each} <Documents of={creditNote} number={each} formats={['pdf']} />
    </div>
  ));
  return ['Credit notes', shown];
}

function stateOf({ state }: ShownInvoice): Fact {
  return ['State', <StatePill key="state" status={state.status} />];
}

function linkTo(invoice: string, text: string): ReactNode {
  return <Link to={`/invoices/${invoice}` as string}>{text}</Link>;
}

function factsOf({ state, currency, period, ...invoice }: ShownInvoice): readonly Fact[] {
  return [
    ['Period', `${period.from} to ${period.to}`],
    // While it is held these are the dates that it would have today.
    ...(state.status === 'held'
      ? []
      : ([
          ['Issued', invoice.issue_date],
          ['Due', invoice.due_date],
        ] as const)),
    ...(invoice.reissue_of
      ? [['Replaces', linkTo(invoice.reissue_of.number, invoice.reissue_of.number)] as const]
      : []),
    ...(invoice.reissued_as_id === undefined
      ? []
      : [
          [
            'Replaced by',
            linkTo(
              invoice.reissued_as_id,
              invoice.reissued_as ?? 'an invoice without a number yet',
            ),
          ] as const,
        ]),
    ['Paid', formatMoney(state.paid, currency)],
    ['Credited', formatMoney(state.credited, currency)],
    ['Still due', <strong key="due">{formatMoney(state.due, currency)}</strong>],
  ];
}

interface LineCallsProps {
  readonly of: Read<PageOf<Call>>;
  /** Renders one call. */
  readonly children: (call: Call) => ReactNode;
}

/** The calls behind a line, page by page. */
function LineCalls({ of, children }: LineCallsProps) {
  return (
    <Paged
      of={useInfiniteQuery(pages(of))}
      rows={8}
      empty={<Empty title="No calls behind this line" />}
    >
      {(items) => (
        <DataTable
          label="Calls"
          columns={callsWith(children)}
          rows={items}
          keyOf={(call) => call.call_id}
          isFixed
        />
      )}
    </Paged>
  );
}

function callsWith(cell: (call: Call) => ReactNode): Columns<Call> {
  return [
    moment('Time', ({ at }) => at),
    { label: 'What was asked for', kind: 'main', cell },
    number('Credits', (call) => call.credits_used),
  ];
}

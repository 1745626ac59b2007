import { Drawer } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatNumber } from '../format/credits.js';
import { formatMoney } from '../format/money.js';
import type { Call, Page as PageOf } from '../rest/answers.js';
import type { AnyInvoice } from '../rest/data-answers.js';
import { CLOSE } from '../ui/confirm-button.js';
import { Facts, type Fact } from '../ui/facts.js';
import { Loaded } from '../ui/loaded.js';
import { Moment } from '../ui/moment.js';
import { Empty } from '../ui/notice.js';
import { Page, Panel } from '../ui/page.js';
import { Paged } from '../ui/paged.js';
import { Heads, Table, mainCell, numberCell } from '../ui/table.js';
import { Documents } from './documents.js';
import { InvoiceLines, Totals } from './invoice-lines.js';
import { StatePill } from './invoice-state.js';

interface InvoiceSheetProps<Shown> {
  /** The REST that holds its documents. */
  readonly rest: string;
  readonly number: string;
  readonly of: UseQueryResult<Shown>;
  /** Content above it. */
  readonly notice?: (invoice: Shown) => ReactNode;
  /** Facts besides its state, dates and amounts. */
  readonly facts: (invoice: Shown) => readonly Fact[];
  /** Actions for the invoice. */
  readonly actions?: (invoice: Shown) => ReactNode;
  /** The calls behind a line. */
  readonly calls: (line: number) => ReactNode;
  /** Content below it. */
  readonly children?: (invoice: Shown) => ReactNode;
}

/** One invoice: what became of it, its lines down to the calls, its documents. */
export function InvoiceSheet<Shown extends AnyInvoice>(props: InvoiceSheetProps<Shown>) {
  const { rest, number, of, notice, facts, actions, calls, children } = props;
  const [line, setLine] = useState<number | null>(null);
  return (
    <Page
      title={of.data?.number === null ? 'Invoice without a number' : `Invoice ${number}`}
      lead={<Link to="/invoices">All invoices</Link>}
      actions={
        typeof of.data?.number === 'string' && (
          <Documents
            rest={rest}
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
              <Facts of={[stateOf(invoice), ...facts(invoice), ...factsOf(invoice)]} />
            </Panel>
            <Panel flush title="Lines" aside="a number of calls opens them">
              <InvoiceLines lines={invoice.lines} currency={invoice.currency} onCalls={setLine} />
              <Totals invoice={invoice} />
            </Panel>
            {children?.(invoice)}
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
        {line !== null && calls(line)}
      </Drawer>
    </Page>
  );
}

function stateOf({ state }: AnyInvoice): Fact {
  return ['State', <StatePill key="state" status={state.status} />];
}

function factsOf({ state, currency, period, ...invoice }: AnyInvoice): readonly Fact[] {
  return [
    ['Period', `${period.from} to ${period.to}`],
    // While it is held these are the dates that it would have today.
    ...(state.status === 'held'
      ? []
      : ([
          ['Issued', invoice.issue_date],
          ['Due', invoice.due_date],
        ] as const)),
    ...(invoice.reissue_of ? [['Replaces', invoice.reissue_of.number] as const] : []),
    ...(invoice.reissued_as_id === undefined
      ? []
      : [['Replaced by', invoice.reissued_as ?? 'an invoice without a number yet'] as const]),
    ['Paid', formatMoney(state.paid, currency)],
    ['Credited', formatMoney(state.credited, currency)],
    ['Still due', <strong key="due">{formatMoney(state.due, currency)}</strong>],
  ];
}

interface LineCallsProps {
  readonly of: UseInfiniteQueryResult<InfiniteData<PageOf<Call>>>;
  /** Renders one call. */
  readonly children: (call: Call) => ReactNode;
}

/** The calls behind a line, page by page. */
export function LineCalls({ of, children }: LineCallsProps) {
  return (
    <Paged of={of} rows={8} empty={<Empty title="No calls behind this line" />}>
      {(items) => (
        <Table label="Calls" head={<Heads of={['Time', 'What was asked for', '#Credits']} />}>
          {items.map((call) => (
            <tr key={call.call_id}>
              <td>
                <Moment at={call.at} />
              </td>
              <td className={mainCell}>{children(call)}</td>
              <td className={numberCell}>{formatNumber(call.credits_used)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Paged>
  );
}

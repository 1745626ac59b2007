import type { Read } from '#client/operations.js';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoney } from '../format/money.js';
import { DownloadButton } from '../ui/download-button.js';
import { Facts, type Fact } from '../ui/facts.js';
import { Loaded } from '../ui/loaded.js';
import { Panel } from '../ui/page.js';
import type { Receivables } from '../rest/answers.js';
import { money, text } from '../ui/columns.js';
import { DataTable, type Columns } from '../ui/data-table.js';

const AGES: Readonly<Record<keyof Receivables['ageing'], string>> = {
  not_due: 'Not due yet',
  days_1_30: '1 to 30 days overdue',
  days_31_60: '31 to 60 days overdue',
  days_61_90: '61 to 90 days overdue',
  over_90: 'Over 90 days overdue',
};
const TYPES: Readonly<Record<Receivables['entries'][number]['type'], string>> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  payment: 'Payment',
  refund: 'Refund',
  write_off: 'Write-off',
};

interface ReceivablesPanelProps {
  readonly of: UseQueryResult<Receivables>;
  /** The statement, for its CSV. */
  readonly csv: Read<unknown>;
  readonly actions?: (receivables: Receivables) => ReactNode;
}

/** A statement of account: what is owed, for how long, and how it came about. */
export function ReceivablesPanel({ of, csv, actions }: ReceivablesPanelProps) {
  return (
    <Loaded of={of}>
      {(receivables) => (
        <>
          <Panel title="Statement of account" aside={actions?.(receivables)}>
            <Facts of={factsOf(receivables)} />
          </Panel>
          {receivables.entries.length > 0 && (
            <Panel
              flush
              title="Documents and payments"
              aside={
                <DownloadButton
                  of={csv}
                  file={`receivables-${receivables.date}.csv`}
                  size="compact-sm"
                />
              }
            >
              <DataTable
                label="Documents and payments"
                columns={entriesIn(receivables.currency)}
                rows={receivables.entries}
              />
            </Panel>
          )}
        </>
      )}
    </Loaded>
  );
}

function factsOf(receivables: Receivables): readonly Fact[] {
  const { ageing, balance, credit_balance: kept, to_refund: back, currency } = receivables;
  const aged = (Object.keys(AGES) as (keyof typeof AGES)[]).filter((age) => ageing[age] !== 0);
  return [
    ['Balance', <strong key="balance">{formatMoney(balance, currency)}</strong>],
    ...aged.map((age): Fact => [AGES[age], formatMoney(ageing[age], currency)]),
    ['Credit balance', formatMoney(kept, currency)],
    ...(back === 0 ? [] : [['To be paid back', formatMoney(back, currency)] as const]),
  ];
}

function entriesIn(currency: string): Columns<Receivables['entries'][number]> {
  return [
    text('Date', ({ date }) => date),
    text('What', ({ type }) => TYPES[type]),
    {
      label: 'Number or reference',
      kind: 'main',
      sort: ({ number, reference }) => number ?? reference,
      cell: ({ type, number, reference }) =>
        type === 'invoice' && number !== null ? (
          <Link to={`/invoices/${number}` as string}>{number}</Link>
        ) : (
          (number ?? reference ?? '–')
        ),
    },
    money(
      'Amount',
      ({ amount }) => amount,
      () => currency,
    ),
    money(
      'Balance',
      ({ balance }) => balance,
      () => currency,
    ),
  ];
}

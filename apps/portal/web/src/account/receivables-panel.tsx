import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoney } from '../format/money.js';
import type { Receivables } from '../rest/data-answers.js';
import { DownloadButton } from '../ui/download-button.js';
import { Facts, type Fact } from '../ui/facts.js';
import { Loaded } from '../ui/loaded.js';
import { Panel } from '../ui/page.js';
import { SortedTable, type SortedColumn } from '../ui/sorted-table.js';
import { mainCell, numberCell } from '../ui/table.js';

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
  /** Address of the statement, for its CSV. */
  readonly path: string;
  readonly actions?: (receivables: Receivables) => ReactNode;
}

/** A statement of account: what is owed, for how long, and how it came about. */
export function ReceivablesPanel({ of, path, actions }: ReceivablesPanelProps) {
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
                  path={path}
                  file={`receivables-${receivables.date}.csv`}
                  size="compact-sm"
                />
              }
            >
              <Entries of={receivables} />
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

function Entries({ of: { entries, currency } }: { readonly of: Receivables }) {
  return (
    <SortedTable label="Documents and payments" columns={COLUMNS} rows={entries}>
      {({ id, date, type, number, reference, amount, balance }) => (
        <tr key={id}>
          <td>{date}</td>
          <td>{TYPES[type]}</td>
          <td className={mainCell}>{number ?? reference ?? '–'}</td>
          <td className={numberCell}>{formatMoney(amount, currency)}</td>
          <td className={numberCell}>{formatMoney(balance, currency)}</td>
        </tr>
      )}
    </SortedTable>
  );
}

const COLUMNS: readonly SortedColumn<Receivables['entries'][number]>[] = [
  { name: 'date', label: 'Date', value: ({ date }) => date },
  { name: 'what', label: 'What', value: ({ type }) => TYPES[type] },
  {
    name: 'number',
    label: 'Number or reference',
    value: ({ number, reference }) => number ?? reference,
  },
  { name: 'amount', label: 'Amount', isNumber: true, value: ({ amount }) => amount },
  { name: 'balance', label: 'Balance', isNumber: true, value: ({ balance }) => balance },
];

import type { ReactNode } from 'react';
import { formatCount } from '../format/credits.js';
import { Moment } from '../ui/moment.js';
import { Pill, type Tone } from '../ui/pill.js';
import type { RefusedCall } from '../rest/answers.js';
import { number } from '../ui/columns.js';
import { DataTable, type Column, type Columns } from '../ui/data-table.js';

type Code = RefusedCall['code'];

/** Reasons in words. */
export const REFUSAL_REASONS: Readonly<Record<Code, string>> = {
  'out-of-credits': 'No credits left',
  'credits-held': 'Credits are held',
  'budget-exhausted': 'A budget blocks',
  'account-suspended': 'Account suspended',
  forbidden: 'Key lacks the scope',
  'rate-limited': 'Too many requests',
};

const TONES: Readonly<Record<number, Tone>> = { 402: 'bad', 403: 'bad', 429: 'warn' };

interface RefusalTableProps {
  readonly items: readonly RefusedCall[];
  readonly keyOf: (call: RefusedCall) => ReactNode;
  readonly pathOf: (path: string) => ReactNode;
  /** Of lists over all accounts. */
  readonly accountOf?: (call: RefusedCall) => ReactNode;
}

/** Calls that were refused, one row for each hour, API key, reason and URL. */
export function RefusalTable({ items, keyOf, pathOf, accountOf }: RefusalTableProps) {
  const columns: Columns<RefusedCall> = [
    {
      label: 'Last',
      sort: ({ at }) => at,
      cell: ({ at, times }) => (
        <>
          <Moment at={at} />
          {times > 1 && <div>{formatCount(times, 'time')} in the hour</div>}
        </>
      ),
    },
    ...(accountOf ? [accountColumn(accountOf)] : []),
    {
      label: 'URL',
      kind: 'main',
      sort: ({ path }) => path,
      cell: ({ path }) => (path === null ? 'several URLs' : pathOf(path)),
    },
    {
      label: 'Reason',
      sort: ({ code }) => REFUSAL_REASONS[code],
      cell: ({ status, code }) => (
        <>
          <Pill tone={TONES[status] ?? 'plain'}>{status}</Pill> {REFUSAL_REASONS[code]}
        </>
      ),
    },
    number('Needed', (one) => one.required_credits),
    { label: 'API key', sort: (one) => one.api_key_id, cell: keyOf },
  ];
  return <DataTable label="Refused calls" columns={columns} rows={items} keyOf={nameOf} />;
}

/** Names a row among the others. */
function nameOf(one: RefusedCall): string {
  return [one.account_id, one.first_at, one.api_key_id, one.code, one.path].join(' ');
}

/** The account of a row, in lists over all accounts. */
export function accountColumn<Row extends Pick<RefusedCall, 'account_id' | 'account_name'>>(
  cell: (row: Row) => ReactNode,
): Column<Row> {
  return { label: 'Account', sort: (one) => one.account_name ?? one.account_id, cell };
}

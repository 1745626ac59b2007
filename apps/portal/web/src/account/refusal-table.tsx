import type { ReactNode } from 'react';
import { formatCount, formatNumber } from '../format/credits.js';
import type { RefusedCall } from '../rest/answers.js';
import { Moment } from '../ui/moment.js';
import { Pill, type Tone } from '../ui/pill.js';
import { SortedTable, type SortedColumn } from '../ui/sorted-table.js';
import { mainCell, numberCell } from '../ui/table.js';

type Code = RefusedCall['code'];

/** Reasons in words. */
export const REFUSAL_REASONS: Readonly<Record<Code, string>> = {
  'out-of-credits': 'No credits left',
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

const ACCOUNT: SortedColumn<RefusedCall> = {
  name: 'account',
  label: 'Account',
  value: (one) => one.account_name ?? one.account_id,
};

/** Calls that were refused, one row for each hour, API key, reason and URL. */
export function RefusalTable({ items, keyOf, pathOf, accountOf }: RefusalTableProps) {
  const columns: readonly SortedColumn<RefusedCall>[] = [
    { name: 'last', label: 'Last', value: ({ at }) => at },
    ...(accountOf ? [ACCOUNT] : []),
    { name: 'url', label: 'URL', value: ({ path }) => path },
    { name: 'reason', label: 'Reason', value: ({ code }) => REFUSAL_REASONS[code] },
    { name: 'needed', label: 'Needed', isNumber: true, value: (one) => one.required_credits },
    { name: 'key', label: 'API key', value: (one) => one.api_key_id },
  ];
  return (
    <SortedTable label="Refused calls" columns={columns} rows={items}>
      {(one) => (
        <tr key={[one.account_id, one.first_at, one.api_key_id, one.code, one.path].join(' ')}>
          <td>
            <Moment at={one.at} />
            {one.times > 1 && <div>{formatCount(one.times, 'time')} in the hour</div>}
          </td>
          {accountOf && <td>{accountOf(one)}</td>}
          <td className={mainCell}>{one.path === null ? 'several URLs' : pathOf(one.path)}</td>
          <td>
            <Pill tone={TONES[one.status] ?? 'plain'}>{one.status}</Pill>{' '}
            {REFUSAL_REASONS[one.code]}
          </td>
          <td className={numberCell}>
            {one.required_credits === null ? '–' : formatNumber(one.required_credits)}
          </td>
          <td>{keyOf(one)}</td>
        </tr>
      )}
    </SortedTable>
  );
}

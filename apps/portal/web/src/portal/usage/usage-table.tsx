import { Button } from '@mantine/core';
import { useState } from 'react';
import { changePercent, formatChange, formatNumber } from '../../format/credits.js';
import { SortHeads, type SortColumn } from '../../ui/sort-heads.js';
import { sorted } from '../../ui/sorted.js';
import { Table, mainCell, numberCell } from '../../ui/table.js';
import { ResourceName } from '../resource-name.js';
import type { UsageRow } from './usage-groups.js';
import type { ComparedRow } from './usage-rows.js';
import { dimensionName } from './usage-search.js';
import { useValueName } from './value-names.js';
import css from './usage.module.css';
import type { Dimension } from '../../rest/answers.js';

const SHOWN_AT_FIRST = 100;

interface UsageTableProps {
  readonly by: readonly Dimension[];
  readonly rows: readonly ComparedRow[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onOpen: (row: UsageRow) => void;
}

/** The sums, sorted by whichever column one chooses. */
export function UsageTable({ by, rows, sort, onSort, onOpen }: UsageTableProps) {
  const nameOf = useValueName();
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const isCompared = rows.some(({ before }) => before !== null);
  const valueOf = (row: ComparedRow, name: string): string | number | null => {
    const index = by.findIndex((dimension) => dimension === name);
    if (index === -1) return numberOf(row, name);
    const value = row.values[index] ?? '';
    return by[index] === 'key' ? nameOf('key', value) : value;
  };
  return (
    <>
      <Table
        label="Usage"
        head={<SortHeads columns={columnsOf(by, isCompared)} sort={sort} onSort={onSort} />}
      >
        {sorted(rows, sort, valueOf)
          .slice(0, shown)
          .map((row) => (
            <tr key={row.values.join('\n')}>
              <NameCells by={by} row={row} onOpen={onOpen} />
              <td className={numberCell}>{formatNumber(row.calls)}</td>
              <td className={numberCell}>{formatNumber(row.callCost)}</td>
              <td className={numberCell}>{formatNumber(row.dataCost)}</td>
              <td className={numberCell}>{formatNumber(row.credits)}</td>
              {row.before !== null && <BeforeCells credits={row.credits} before={row.before} />}
            </tr>
          ))}
      </Table>
      {rows.length > shown && (
        <div className={css.more}>
          <Button variant="default" onClick={() => setShown(shown + SHOWN_AT_FIRST * 5)}>
            Show more of {formatNumber(rows.length)} rows
          </Button>
        </div>
      )}
    </>
  );
}

function columnsOf(by: readonly Dimension[], isCompared: boolean): readonly SortColumn[] {
  const number = (name: string, label: string) => ({ name, label, isNumber: true });
  return [
    ...by.map((name) => ({ name, label: dimensionName(name) })),
    number('calls', 'Calls'),
    number('call_cost', 'Call cost'),
    number('data_cost', 'Data cost'),
    number('credits', 'Credits'),
    ...(isCompared ? [number('before', 'Before'), number('change', 'Change')] : []),
  ];
}

function numberOf(row: ComparedRow, name: string): number | null {
  switch (name) {
    case 'calls':
      return row.calls;
    case 'call_cost':
      return row.callCost;
    case 'data_cost':
      return row.dataCost;
    case 'before':
      return row.before;
    case 'change':
      return row.before === null ? null : changePercent(row.credits, row.before);
    default:
      return row.credits;
  }
}

interface NameCellsProps {
  readonly by: readonly Dimension[];
  readonly row: UsageRow;
  readonly onOpen: (row: UsageRow) => void;
}

/** The values of a row; the first opens what is behind. */
function NameCells({ by, row, onOpen }: NameCellsProps) {
  const nameOf = useValueName();
  return by.map((dimension, index) => {
    const value = row.values[index] ?? '';
    const isKey = dimension === 'key';
    const name = isKey ? (
      <ResourceName path={value} withWindow={!value.startsWith('/v1/latest/')} />
    ) : (
      nameOf(dimension, value)
    );
    return (
      <td key={dimension} className={isKey ? mainCell : undefined}>
        {index === 0 ? (
          <button type="button" className={css.open} onClick={() => onOpen(row)}>
            {name}
          </button>
        ) : (
          name
        )}
      </td>
    );
  });
}

function BeforeCells({ credits, before }: { readonly credits: number; readonly before: number }) {
  return (
    <>
      <td className={numberCell}>{formatNumber(before)}</td>
      <td className={numberCell}>{formatChange(changePercent(credits, before))}</td>
    </>
  );
}

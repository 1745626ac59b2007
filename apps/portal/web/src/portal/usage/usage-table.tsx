import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatChange, formatNumber } from '../../format/credits.js';
import { weekday } from '../../format/days.js';
import { formatMoney, type CreditPrice } from '../../format/money.js';
import { SortHeads } from '../../ui/sort-heads.js';
import { Table, mainCell, numberCell } from '../../ui/table.js';
import { ResourceName } from '../resource-name.js';
import type { UsageColumn } from './usage-columns.js';
import type { UsageRow } from './usage-groups.js';
import { sumOf, type ComparedRow } from './usage-rows.js';
import { useValueName } from './value-names.js';
import css from './usage.module.css';

const SHOWN_AT_FIRST = 100;

interface UsageTableProps {
  readonly columns: readonly UsageColumn[];
  /** In the order in which they are shown. */
  readonly rows: readonly ComparedRow[];
  readonly price: CreditPrice | null;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onOpen: (row: UsageRow) => void;
}

/** The sums, sorted by whichever column one chooses; each row opens what is behind it. */
export function UsageTable({ columns, rows, price, sort, onSort, onOpen }: UsageTableProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const most = Math.max(1, ...rows.map(({ credits, before }) => Math.max(credits, before ?? 0)));
  const names = columns.filter(({ unit }) => unit === 'text');
  const numbers = columns.filter(({ unit }) => unit !== 'text');
  const heads = columns.map(({ name, label, unit }) => ({
    name,
    label,
    isNumber: unit !== 'text',
  }));
  heads.splice(names.length, 0, { name: '', label: 'Share', isNumber: false });
  const cells = (row: ComparedRow) =>
    numbers.map((column) => (
      <td key={column.name} className={numberCell}>
        {textOf(column, row, price)}
      </td>
    ));
  return (
    <>
      <Table
        label="Usage"
        head={<SortHeads columns={heads} sort={sort} onSort={onSort} />}
        foot={
          <tr>
            <th scope="row" colSpan={names.length + 1}>
              Sum
            </th>
            {cells(comparedSum(rows))}
          </tr>
        }
      >
        {rows.slice(0, shown).map((row) => (
          <tr key={row.values.join('\n')}>
            <NameCells columns={names} row={row} onOpen={onOpen} />
            <td className={css.bars}>
              <Bar of={row.credits} most={most} />
              {row.before !== null && <Bar of={row.before} most={most} isBefore />}
            </td>
            {cells(row)}
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

/** The sum of rows and of what they are compared with. */
export function comparedSum(rows: readonly ComparedRow[]): ComparedRow {
  const isCompared = rows.some(({ before }) => before !== null);
  const before = rows.reduce((sum, row) => sum + (row.before ?? 0), 0);
  return { ...sumOf(rows), before: isCompared ? before : null };
}

interface BarProps {
  readonly of: number;
  readonly most: number;
  readonly isBefore?: boolean;
}

/** Credits of a row, beside the largest of all. */
function Bar({ of, most, isBefore = false }: BarProps) {
  const width = `${(of / most) * 100}%`;
  return <span className={css.fill} data-before={isBefore || undefined} style={{ width }} />;
}

function textOf(
  { unit, valueOf }: UsageColumn,
  row: ComparedRow,
  price: CreditPrice | null,
): string {
  const value = valueOf(row);
  if (unit === 'percent') return formatChange(value === null ? null : Number(value));
  if (value === null) return '–';
  if (unit === 'money') return formatMoney(Number(value), price?.currency ?? '');
  return formatNumber(Number(value));
}

interface NameCellsProps {
  readonly columns: readonly UsageColumn[];
  readonly row: ComparedRow;
  readonly onOpen: (row: UsageRow) => void;
}

/** The values of a row; the first is the button that the whole row is. */
function NameCells({ columns, row, onOpen }: NameCellsProps) {
  const nameOf = useValueName();
  return columns.map(({ name, dimension, valueOf }, index) => {
    const value = String(valueOf(row) ?? '');
    const isKey = dimension === 'key';
    const words =
      dimension === undefined ? (
        value
      ) : isKey ? (
        <ResourceName path={value} withWindow={!value.startsWith('/v1/latest/')} />
      ) : (
        nameOf(dimension, value)
      );
    const isTuesday = dimension === 'day' && weekday(value) === 'Tue';
    return (
      <td key={name} data-tuesday={isTuesday || undefined} className={isKey ? mainCell : css.name}>
        {index === 0 ? (
          <button type="button" className="opens-row" onClick={() => onOpen(row)}>
            {words}
          </button>
        ) : (
          words
        )}
      </td>
    );
  });
}

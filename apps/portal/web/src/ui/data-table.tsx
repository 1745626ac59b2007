import { useState, type ReactNode } from 'react';
import { SortHead } from './sort-heads.js';
import { nextSort, sorted, sortOf } from './sorted.js';
import { mainCell, numberCell, softCell, Table } from './table.js';

/** One column of a table: its head, its cells, and what it sorts by. */
export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row, place: number) => ReactNode;
  /** Absent: it does not sort. */
  readonly sort?: (row: Row) => string | number | null | undefined;
  /** `main` takes what is left and breaks its text, `soft` matters less, `note` is both. */
  readonly kind?: 'number' | 'main' | 'soft' | 'note';
  /** Whether its head is only read out. */
  readonly isUnnamed?: boolean;
}

export type Columns<Row> = readonly Column<Row>[];

const CLASSES = {
  number: numberCell,
  main: mainCell,
  soft: softCell,
  note: `${mainCell} ${softCell}`,
} as const;

interface DataTableProps<Row> {
  /** Name of the table, for screen readers. */
  readonly label: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  /** A name of each row; its `id`, or else its place, unless given. */
  readonly keyOf?: (row: Row) => string | number;
  /** The column that it is sorted by at first, `-` before it the largest first. */
  readonly initial?: string;
  /** Rows that are shown; all unless given. */
  readonly limit?: number;
  /** Whether rows stay as they come. */
  readonly isFixed?: boolean;
}

/** A table of its columns, whose heads sort it. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, initial = '', limit = rows.length, isFixed = false } = props;
  const [sort, setSort] = useState(initial);
  const { name: by, isDescending } = sortOf(sort);
  const order = isDescending ? 'descending' : 'ascending';
  const shown = sorted(rows, sort, (row, name) =>
    columns.find((column) => column.label === name)?.sort?.(row),
  );
  const head = (
    <tr>
      {columns.map((column) =>
        column.sort === undefined || isFixed ? (
          <Head key={column.label} column={column} />
        ) : (
          <SortHead
            key={column.label}
            label={column.label}
            isNumber={column.kind === 'number'}
            {...(column.label === by && { order })}
            onSort={() => setSort(nextSort(sort, column.label, column.kind === 'number'))}
          />
        ),
      )}
    </tr>
  );
  return (
    <Table label={label} head={head}>
      {shown.slice(0, limit).map((row, place) => (
        <tr key={keyOf?.(row) ?? ('id' in row ? String(row.id) : place)}>
          {columns.map(({ label: name, kind, cell }) => (
            <td key={name} {...(kind && { className: CLASSES[kind] })}>
              {cell(row, place)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

interface HeadProps {
  readonly column: Pick<Column<never>, 'label' | 'kind' | 'isUnnamed'>;
}

function Head({ column: { label, kind, isUnnamed } }: HeadProps) {
  return (
    <th scope="col" {...(kind === 'number' && { className: numberCell })}>
      {isUnnamed === true ? <span className="visually-hidden">{label}</span> : label}
    </th>
  );
}

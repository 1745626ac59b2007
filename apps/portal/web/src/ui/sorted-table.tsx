import { useState, type ReactNode } from 'react';
import { SortHeads, type SortColumn } from './sort-heads.js';
import { sorted } from './sorted.js';
import { Table } from './table.js';

/** A column that sorts by a value of its rows; one without a name is only read out. */
export interface SortedColumn<Row> extends SortColumn {
  readonly value?: (row: Row) => string | number | null | undefined;
}

interface SortedTableProps<Row> {
  readonly label: string;
  readonly columns: readonly SortedColumn<Row>[];
  readonly rows: readonly Row[];
  /** The sort at first; without it rows come as they are. */
  readonly initial?: string;
  /** Rows that are shown; all unless given. */
  readonly limit?: number;
  readonly children: (row: Row) => ReactNode;
}

/** A table whose heads sort it. */
export function SortedTable<Row>(props: SortedTableProps<Row>) {
  const { label, columns, rows, initial = '', limit = rows.length, children } = props;
  const [sort, setSort] = useState(initial);
  const valueOf = (row: Row, name: string) =>
    columns.find((column) => column.name === name)?.value?.(row);
  return (
    <Table label={label} head={<SortHeads columns={columns} sort={sort} onSort={setSort} />}>
      {sorted(rows, sort, valueOf).slice(0, limit).map(children)}
    </Table>
  );
}

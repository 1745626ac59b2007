import { numberCell } from './table.js';
import { nextSort, sortOf } from './sorted.js';
import css from './table.module.css';

export interface SortColumn {
  readonly name: string;
  readonly label: string;
  readonly isNumber?: boolean;
}

interface SortHeadsProps {
  readonly columns: readonly SortColumn[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Heads of columns that sort the table. A column without a name is only read out. */
export function SortHeads({ columns, sort, onSort }: SortHeadsProps) {
  const { name: by, isDescending } = sortOf(sort);
  return (
    <tr>
      {columns.map(({ name, label, isNumber = false }) =>
        name === '' ? (
          <th key={label} scope="col">
            <span className="visually-hidden">{label}</span>
          </th>
        ) : (
          <th
            key={name}
            scope="col"
            {...(isNumber && { className: numberCell })}
            {...(name === by && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
          >
            <button
              type="button"
              className={css.sort}
              onClick={() => onSort(nextSort(sort, name, isNumber))}
            >
              {label}
              <span aria-hidden="true">{name !== by ? '' : isDescending ? ' ↓' : ' ↑'}</span>
            </button>
          </th>
        ),
      )}
    </tr>
  );
}

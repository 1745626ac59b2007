import { Icon } from './icon.js';
import { HeadCells, numberCell } from './table.js';
import { nextSort, sortOf } from './sorted.js';
import css from './table.module.css';

export interface SortColumn {
  readonly name: string;
  readonly label: string;
  readonly isNumber?: boolean;
}

const ARROWS = { descending: 'fall', ascending: 'up' } as const;

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
          <SortHead
            key={name}
            label={label}
            isNumber={isNumber}
            {...(name === by && { order: isDescending ? 'descending' : 'ascending' })}
            onSort={() => onSort(nextSort(sort, name, isNumber))}
          />
        ),
      )}
    </tr>
  );
}

export type Order = 'asc' | 'desc';

interface TurnedHeadsProps {
  /** As of `Heads`. */
  readonly of: readonly string[];
  /** The column that the service sorts by. */
  readonly by: string;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

/** Heads of a list in pages, which one column turns round. */
export function TurnedHeads({ of, by, order, onOrder }: TurnedHeadsProps) {
  const place = of.indexOf(by);
  return (
    <tr>
      <HeadCells of={of.slice(0, place)} />
      <SortHead
        label={by}
        order={order === 'asc' ? 'ascending' : 'descending'}
        onSort={() => onOrder(order === 'asc' ? 'desc' : 'asc')}
      />
      <HeadCells of={of.slice(place + 1)} />
    </tr>
  );
}

interface SortHeadProps {
  readonly label: string;
  readonly isNumber?: boolean;
  /** Absent: the table is not sorted by this column. */
  readonly order?: 'ascending' | 'descending';
  readonly onSort: () => void;
}

/** The head of a column that sorts the table. */
export function SortHead({ label, isNumber = false, order, onSort }: SortHeadProps) {
  return (
    <th
      scope="col"
      {...(isNumber && { className: numberCell })}
      {...(order && { 'aria-sort': order })}
    >
      <button type="button" className={css.sort} onClick={onSort}>
        {label}
        {order !== undefined && (
          <span className={css.arrow}>
            <Icon name={ARROWS[order]} size={12} />
          </span>
        )}
      </button>
    </th>
  );
}

import type { ReactNode } from 'react';
import css from './table.module.css';

interface TableProps {
  /** Name of the table, for screen readers. */
  readonly label: string;
  readonly head: ReactNode;
  /** Sums below the rows. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** A table that scrolls sideways by itself where the page is too narrow. */
export function Table({ label, head, foot, children }: TableProps) {
  return (
    <div className={css.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={css.table}>
        <thead>{head}</thead>
        <tbody>{children}</tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
}

/** The class of cells with numbers. */
export const numberCell = css.number;
/** The class of cells that take what is left and break their text. */
export const mainCell = css.main;
/** The class of cells with what is less important. */
export const softCell = css.soft;

interface HeadsProps {
  readonly of: readonly string[];
}

/** Heads of columns: `#Credits` stands over numbers, `!Actions` is only read out. */
export function Heads({ of }: HeadsProps) {
  return (
    <tr>
      <HeadCells of={of} />
    </tr>
  );
}

/** Cells of such a row. */
export function HeadCells({ of }: HeadsProps) {
  return of.map((name) => {
    if (name.startsWith('!')) {
      return (
        <th key={name} scope="col">
          <span className="visually-hidden">{name.slice(1)}</span>
        </th>
      );
    }
    const isNumber = name.startsWith('#');
    return (
      <th key={name} scope="col" {...(isNumber && { className: numberCell })}>
        {isNumber ? name.slice(1) : name}
      </th>
    );
  });
}

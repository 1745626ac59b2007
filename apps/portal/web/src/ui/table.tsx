import { useEffect, useRef, useState, type ReactNode } from 'react';
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
  const [scroller, isWider] = useIsWider();
  return (
    <div
      ref={scroller}
      className={css.scroll}
      role="region"
      aria-label={label}
      {...(isWider && { tabIndex: 0 })}
    >
      <table className={css.table}>
        <thead>{head}</thead>
        <tbody>{children}</tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
}

/** Whether the table is wider than its room: only then the Tab key stops at it, to scroll it. */
function useIsWider() {
  const scroller = useRef<HTMLDivElement>(null);
  const [isWider, setIsWider] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setIsWider(element.scrollWidth > element.clientWidth);
    });
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  return [scroller, isWider] as const;
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

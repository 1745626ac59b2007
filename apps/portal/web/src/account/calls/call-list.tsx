import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  Fragment,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type ReactNode,
  type RefObject,
} from 'react';
import { formatNumber } from '../../format/credits.js';
import { Failed, Loading } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import css from './calls.module.css';
import type { Call, Page } from '../../rest/answers.js';

const ROW_PX = 49;
const OVERSCAN = 12;

/** Columns of a list of calls, and one row of them. */
export interface CallColumns<Listed extends Call> {
  readonly count: number;
  readonly head: ReactNode;
  /** The sum of all calls, whether they are drawn or not. */
  readonly foot?: ReactNode;
  readonly row: (call: Listed, row: number) => ReactNode;
}

interface CallListProps<Listed extends Call> {
  readonly of: UseInfiniteQueryResult<InfiniteData<Page<Listed>>>;
  readonly isFiltered: boolean;
  /** Another one begins at the top. */
  readonly order: 'asc' | 'credits' | undefined;
  readonly columns: CallColumns<Listed>;
}

/** An endless list of calls: only visible rows are drawn, and further ones are read ahead. */
export function CallList<Listed extends Call>({
  of: list,
  isFiltered,
  order,
  columns,
}: CallListProps<Listed>) {
  const calls = useMemo(() => list.data?.pages.flatMap((page) => page.items), [list.data]);
  if (calls === undefined) {
    if (!list.isError) return <Loading rows={10} />;
    return <Failed of={list} />;
  }
  if (calls.length === 0) {
    return (
      <Empty title="No calls here">
        {isFiltered
          ? 'None fits this filter. New ones that do appear by themselves.'
          : 'The first call appears here by itself.'}
      </Empty>
    );
  }
  return (
    <Rows
      calls={calls}
      order={order}
      columns={columns}
      hasMore={list.hasNextPage}
      isReading={list.isFetchingNextPage}
      onMore={() => void list.fetchNextPage()}
    />
  );
}

interface RowsProps<Listed extends Call> {
  readonly calls: readonly Listed[];
  readonly order: 'asc' | 'credits' | undefined;
  readonly columns: CallColumns<Listed>;
  readonly hasMore: boolean;
  readonly isReading: boolean;
  readonly onMore: () => void;
}

function Rows<Listed extends Call>(props: RowsProps<Listed>) {
  const { calls, order, columns, hasMore, isReading, onMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => calls[index]?.call_id ?? index,
    overscan: OVERSCAN,
  });
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [order]);
  useSteadyScroll(scroller, calls);
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isReading && last >= calls.length - 60) onMore();
  }, [last, calls.length, hasMore, isReading, onMore]);
  const top = shown[0]?.start ?? 0;
  const bottom = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className={css.scroll} role="region" aria-label="Calls" tabIndex={0}>
      <table className={css.table} aria-rowcount={hasMore ? -1 : calls.length}>
        <thead>{columns.head}</thead>
        <tbody>
          <Spacer height={top} columns={columns.count} />
          {shown.map((row: VirtualItem) => {
            const call = calls[row.index];
            return call && <Fragment key={row.key}>{columns.row(call, row.index)}</Fragment>;
          })}
          <Spacer height={bottom} columns={columns.count} />
        </tbody>
        {columns.foot !== undefined && <tfoot>{columns.foot}</tfoot>}
      </table>
      <p className="print-only">
        {`Printed: calls ${formatNumber((shown[0]?.index ?? 0) + 1)} to ${formatNumber(last + 1)} of ${hasMore ? 'more than ' : ''}${formatNumber(calls.length)}. The CSV holds all.`}
      </p>
      <p className={css.end}>{hasMore ? 'Reading on …' : 'These are all.'}</p>
    </div>
  );
}

/** Who reads further down goes on reading there while new calls come in above. */
function useSteadyScroll(scroller: RefObject<HTMLDivElement | null>, calls: readonly Call[]) {
  const first = useRef(calls[0]?.call_id);
  useLayoutEffect(() => {
    const added = calls.findIndex(({ call_id: id }) => id === first.current);
    first.current = calls[0]?.call_id;
    const element = scroller.current;
    if (element !== null && added > 0 && element.scrollTop > ROW_PX) {
      element.scrollTop += added * ROW_PX;
    }
  }, [scroller, calls]);
}

/** Stands for the rows that are not drawn. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} className={css.spacer} style={{ height }} />
    </tr>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '#client/listing.js';
import type { Read } from '#client/operations.js';
import { pages } from '../rest/reads.js';
import { DataTable, type Columns } from './data-table.js';
import { Empty } from './notice.js';
import { Panel } from './page.js';
import { Paged } from './paged.js';

interface ListPanelProps<Row> {
  readonly title?: string;
  /** Name of the table; the title unless given. */
  readonly label?: string;
  readonly of: Read<Page<Row>>;
  readonly columns: Columns<Row>;
  readonly keyOf?: (row: Row) => string | number;
  /** Words where the list holds nothing. */
  readonly empty: readonly [title: string, text?: string];
  readonly aside?: ReactNode;
  /** Whether the last come first. */
  readonly isTurned?: boolean;
}

/** A list of the service, page by page, as a panel with a table. */
export function ListPanel<Row extends object>(props: ListPanelProps<Row>) {
  const { title, label = title ?? '', of, columns, keyOf, empty, aside, isTurned = false } = props;
  const [nothing, why] = empty;
  return (
    <Panel flush title={title} aside={aside}>
      <Paged of={useInfiniteQuery(pages(of))} empty={<Empty title={nothing}>{why}</Empty>}>
        {(items) => (
          <DataTable
            label={label}
            columns={columns}
            rows={isTurned ? items.toReversed() : items}
            {...(keyOf && { keyOf })}
          />
        )}
      </Paged>
    </Panel>
  );
}

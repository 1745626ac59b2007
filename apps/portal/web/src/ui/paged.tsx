import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Loading } from './loaded.js';
import css from './paged.module.css';
import type { Page } from '../rest/answers.js';

interface PagedProps<Item> {
  readonly of: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** Shown where the list holds nothing. */
  readonly empty: ReactNode;
  readonly rows?: number;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list that is read page by page, with what it shows before, without and after its rows. */
export function Paged<Item>({ of, empty, rows = 6, children }: PagedProps<Item>) {
  const items = of.data?.pages.flatMap((page) => page.items);
  if (items === undefined) {
    if (!of.isError) return <Loading rows={rows} />;
    return <Failed of={of} />;
  }
  if (items.length === 0) return <>{empty}</>;
  return (
    <>
      {children(items)}
      {of.hasNextPage && (
        <div className={css.more}>
          <Button
            variant="default"
            loading={of.isFetchingNextPage}
            onClick={() => void of.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../rest/answers.js';
import { Loading } from '../ui/loaded.js';
import { ProblemNotice } from '../ui/notice.js';
import { numberCell } from '../ui/table.js';
import css from './console.module.css';

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
    return (
      <div className={css.inset}>
        <ProblemNotice error={of.error} onRetry={() => void of.refetch()} />
      </div>
    );
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

/** Heads of columns: `#Credits` stands over numbers, `!Actions` is only read out. */
export function Heads({ of }: { readonly of: readonly string[] }) {
  return (
    <tr>
      {of.map((name) => {
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
      })}
    </tr>
  );
}

import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import css from './loaded.module.css';
import { ProblemNotice } from './notice.js';

interface LoadedProps<Data> {
  readonly of: UseQueryResult<Data>;
  /** Rows that stand for what is on its way. */
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

/** What a query answered; before that a skeleton, and an error with a way on. */
export function Loaded<Data>({ of, rows = 4, children }: LoadedProps<Data>) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  return of.isError ? <Failed of={of} /> : <Loading rows={rows} />;
}

interface FailedProps {
  readonly of: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
}

/** What could not be read, with a way on. */
export function Failed({ of }: FailedProps) {
  return (
    <div className={css.inset}>
      <ProblemNotice error={of.error} onRetry={() => void of.refetch()} />
    </div>
  );
}

export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div className={css.loading} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={18} width={`${90 - ((row * 17) % 40)}%`} />
      ))}
    </div>
  );
}

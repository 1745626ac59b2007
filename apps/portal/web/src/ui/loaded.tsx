import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isNotFound } from '../rest/problem.js';
import css from './loaded.module.css';
import { ProblemNotice } from './notice.js';

interface LoadedProps<Data> {
  readonly of: UseQueryResult<Data>;
  /** Rows that stand for what is on its way. */
  readonly rows?: number;
  /** A notice for an address that names nothing; else it is an error like others. */
  readonly missing?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** The answer of a query; a skeleton before it, and an error with a retry. */
export function Loaded<Data>({ of, rows = 4, missing, children }: LoadedProps<Data>) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (missing !== undefined && isNotFound(of.error)) return <>{missing}</>;
  return of.isError ? <Failed of={of} /> : <Loading rows={rows} />;
}

interface FailedProps {
  readonly of: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
}

/** An error of a query, with a retry. */
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

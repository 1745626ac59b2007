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
  /** Pixels that they take, where what comes is as high: a chart, which must not push the page. */
  readonly height?: number;
  /** A notice for an address that names nothing; else it is an error like others. */
  readonly missing?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** The answer of a query; a skeleton before it, and an error with a retry. */
export function Loaded<Data>({ of, rows, height, missing, children }: LoadedProps<Data>) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (missing !== undefined && isNotFound(of.error)) return <>{missing}</>;
  return of.isError ? <Failed of={of} /> : <Loading rows={rows} height={height} />;
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

interface LoadingProps {
  readonly rows?: number | undefined;
  readonly height?: number | undefined;
}

export function Loading({ rows = 4, height }: LoadingProps) {
  return (
    <div className={css.loading} style={{ height }} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={18} width={`${90 - ((row * 17) % 40)}%`} />
      ))}
    </div>
  );
}

import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { BarsProps, LineProps } from './charts.js';

// The chart library is as large as all else together: a page is there before its charts.

const charts = () => import('./charts.js');

const Bars = lazy(async () => ({ default: (await charts()).Bars }));
const Line = lazy(async () => ({ default: (await charts()).Line }));

/** Called where charts are sure to come, so that they are there when their numbers are. */
export function preloadCharts(): void {
  void charts();
}

export function BarsFigure(props: BarsProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 240} />}>
      <Bars {...props} />
    </Suspense>
  );
}

export function LineFigure(props: LineProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 280} />}>
      <Line {...props} />
    </Suspense>
  );
}

import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { BarsProps, LineProps } from './charts.js';

// The chart library is as large as all else together: a page is there before its charts.

const Bars = lazy(async () => ({ default: (await import('./charts.js')).Bars }));
const Line = lazy(async () => ({ default: (await import('./charts.js')).Line }));

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

import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** V8 by itself lets an old space grow to three or four times of what lives in it. */
const PERCENT_LEAST = 50;
/**
 * None is collected while it and the buffers that live take less than this together. During a
 * collection calls wait up to a tenth of a second for the processors that its marking takes, and
 * what they hold then fills it again.
 */
const SMALL = 160 * 1024 * 1024;

let observer: PerformanceObserver | undefined;

function setPercent(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

function isMajor(entry: object): boolean {
  const { detail } = entry as { readonly detail: { readonly kind: number } };
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

/** By how many percent an old space may grow in which so many bytes live, beside buffers. */
export function growthPercent(bytes: number, ofBuffers: number): number {
  return Math.max(PERCENT_LEAST, Math.round(100 * ((SMALL - ofBuffers) / bytes - 1)));
}

/**
 * Has old spaces collected when they have grown by half, small ones when 160 MB are taken. It holds
 * for every thread of the process, and follows what lives in the calling one.
 */
export function limitHeapGrowth(): void {
  setPercent(PERCENT_LEAST);
  observer ??= new PerformanceObserver((list) => {
    if (!list.getEntries().some(isMajor)) return;
    const { used_heap_size: used, external_memory: ofBuffers } = getHeapStatistics();
    setPercent(growthPercent(used, ofBuffers));
  });
  observer.observe({ entryTypes: ['gc'] });
}

/** From now on all by half: other threads than the calling one hold the most. */
export function growByHalf(): void {
  observer?.disconnect();
  observer = undefined;
  setPercent(PERCENT_LEAST);
}

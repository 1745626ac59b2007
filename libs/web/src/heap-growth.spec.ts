import { execFileSync } from 'node:child_process';
import { growthPercent } from './heap-growth.js';

const MB = 1024 * 1024;

/** How often a process collects its old space that holds 30 MB and lets go of 80 MB more. */
function collections(begin: string): number {
  const script = `
    const { PerformanceObserver, constants } = await import('node:perf_hooks');
    const { limitHeapGrowth, growByHalf } = await import('${process.env['TEST_MODULES']}web/heap-growth.js');
    ${begin}
    const megabyte = () => Array.from({ length: 256 }, () => Array(512).fill(1));
    const held = Array.from({ length: 30 }, megabyte);
    await new Promise((resolve) => setTimeout(resolve));
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve));
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve));
    let count = 0;
    new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) {
        if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) count += 1;
      }
    }).observe({ entryTypes: ['gc'] });
    for (let made = 0; made < 80; made += 1) {
      held[made % 10] = megabyte();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise((resolve) => setTimeout(resolve));
    console.log(count);`;
  const args = ['--expose-gc', '--max-semi-space-size=1', '--input-type=module', '-e', script];
  return Number(execFileSync(process.execPath, args));
}

test('an old space grows by half, and a small one until 160 MB are taken with all buffers', () => {
  expect(growthPercent(40 * MB, 0)).toBe(300);
  expect(growthPercent(40 * MB, 40 * MB)).toBe(200);
  expect(growthPercent(40 * MB, 140 * MB)).toBe(50);
  expect(growthPercent(110 * MB, 0)).toBe(50);
  expect(growthPercent(2_000 * MB, 300 * MB)).toBe(50);
});

test('what a process lets go of is seldom collected while it holds little', () => {
  expect(collections('limitHeapGrowth();')).toBe(0);
});

test('where other threads hold the most, every old space is collected when it has grown by half', () => {
  expect(collections('limitHeapGrowth(); growByHalf();')).toBeGreaterThanOrEqual(2);
});

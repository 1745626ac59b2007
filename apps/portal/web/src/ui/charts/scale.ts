const STEPS = [1, 2, 2.5, 5, 10];
const TICKS = 4;

/** Round values from 0 to `most` or above it, whole ones, for the axis of a chart. */
export function ticksUpTo(most: number): readonly number[] {
  const rough = Math.max(most, 1) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const fits = STEPS.map((step) => step * power).find((step) => step >= rough && step % 1 === 0);
  const step = Math.max(1, fits ?? Math.ceil(rough));
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Every how many-th name can stand below its place without touching the next one. */
export function namesApart(longest: number, placePixels: number): number {
  const GAP = 12;
  const CHARACTER = 6.8;
  return Math.max(1, Math.ceil((longest * CHARACTER + GAP) / Math.max(placePixels, 1)));
}

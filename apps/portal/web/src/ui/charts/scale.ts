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

const CHARACTER_PIXELS = 6.8;
const GAP_PIXELS = 12;

/** Pixels that a name takes at most. */
export function widthOf(name: string): number {
  return name.length * CHARACTER_PIXELS;
}

/** Every how many-th name can stand below its place without touching the next one. */
export function namesApart(longest: number, placePixels: number): number {
  const width = longest * CHARACTER_PIXELS + GAP_PIXELS;
  return Math.max(1, Math.ceil(width / Math.max(placePixels, 1)));
}

/** One question to the database for its time. All in milliseconds. */
export interface ClockSample {
  /** This process's wall clock just before and just after. */
  readonly wallBefore: number;
  readonly wallAfter: number;
  /** Its monotonic clock at the same moments. */
  readonly monotonicBefore: number;
  readonly monotonicAfter: number;
  /** The database's answer. */
  readonly database: number;
}

/** Where three clocks stood at one moment. Milliseconds. */
export interface ClockFix {
  readonly wall: number;
  readonly monotonic: number;
  readonly database: number;
}

/** How far a process's clock may be off, or jump, before it must not stamp calls. */
export const CLOCK_TOLERANCE_MS = 2_000;

/**
 * The fix that the quickest round trip gives, taking the database to have looked half-way, or
 * undefined if there is none. Samples during which the wall clock jumped say nothing.
 */
export function fixOf(samples: readonly ClockSample[]): ClockFix | undefined {
  let best: ClockSample | undefined;
  for (const sample of samples) {
    const walled = sample.wallAfter - sample.wallBefore;
    if (Math.abs(walled - roundTripOf(sample)) > CLOCK_TOLERANCE_MS) continue;
    if (best === undefined || roundTripOf(sample) < roundTripOf(best)) best = sample;
  }
  if (best === undefined) return undefined;
  const half = roundTripOf(best) / 2;
  return {
    wall: best.wallBefore + half,
    monotonic: best.monotonicBefore + half,
    database: best.database,
  };
}

/** The offset to add to the wall clock to get the database's time. */
export function offsetOf(fix: ClockFix): number {
  return fix.database - fix.wall;
}

/** How far the wall clock has run ahead of the monotonic one since the fix; negative: behind. */
export function jumpSince(fix: ClockFix, wall: number, monotonic: number): number {
  return wall - fix.wall - (monotonic - fix.monotonic);
}

/**
 * The present in whole milliseconds: the wall clock and its offset, but never past the moment that
 * was measured plus the time that has surely gone by since, so that no jump opens the future.
 */
export function presentAt(fix: ClockFix, wall: number, monotonic: number): number {
  const passed = fix.database + (monotonic - fix.monotonic);
  return Math.floor(Math.min(wall + offsetOf(fix), passed));
}

/** Why a process that has this fix must not stamp calls now, or undefined. */
export function clockFault(
  fix: ClockFix | undefined,
  wall: number,
  monotonic: number,
): string | undefined {
  if (fix === undefined) return "the database's clock has not been read yet";
  const offset = Math.round(offsetOf(fix));
  if (Math.abs(offset) > CLOCK_TOLERANCE_MS) {
    return `the clock is ${Math.abs(offset)} ms ${offset < 0 ? 'ahead of' : 'behind'} the database's`;
  }
  const jump = Math.round(jumpSince(fix, wall, monotonic));
  if (Math.abs(jump) <= CLOCK_TOLERANCE_MS) return undefined;
  return `the clock has jumped by ${jump} ms`;
}

function roundTripOf({ monotonicBefore, monotonicAfter }: ClockSample): number {
  return monotonicAfter - monotonicBefore;
}

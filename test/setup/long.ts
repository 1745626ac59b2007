/**
 * Whether this is the long run (`npm run test:long`): it tries every variant of rare faults, of
 * which the others try a few.
 */
export const isLong = process.env.TEST_LONG === 'true';

/** Rows of a table of tests that the long run alone tries. */
export function inLong<Row>(...rows: readonly Row[]): readonly Row[] {
  return isLong ? rows : [];
}

/** How often a story kills a process. */
export const KILLS = Number(process.env.KILLS ?? (isLong ? 10 : 1));

/** SQL for a moment that a parameter (`$1`) gives in ms since 1970. */
export function momentOfMs(parameter: string): string {
  return `'epoch'::timestamptz + ${parameter}::float8 * interval '1 ms'`;
}

/** SQL for the ms since 1970 of a moment. */
export function msOfMoment(moment: string): string {
  return `(extract(epoch from ${moment}) * 1000)::int8`;
}

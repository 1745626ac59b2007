/** SQL for a moment that a parameter (`$1`) gives in ms since 1970. */
export function momentOfMs(parameter: string): string {
  return `'epoch'::timestamptz + ${parameter}::float8 * interval '1 ms'`;
}

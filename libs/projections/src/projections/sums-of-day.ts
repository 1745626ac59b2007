/** Columns of a sum of calls of a day, and the arrays of `day_usage` that hold them. */
const ARRAYS = {
  resource: 'resources',
  region: 'regions',
  rule: 'rules',
  kind: 'kinds',
  api_key: 'api_keys',
  calls: 'calls',
  call_cost: 'call_costs',
  data_cost: 'data_costs',
} as const;

type Column = keyof typeof ARRAYS;

/**
 * The sums of a row `d` of `day_usage`, one by one as `u`: to be joined with it. Only the arrays of
 * these columns are read; all of them unless some are named.
 */
export function sumsOfDay(...columns: readonly Column[]): string {
  const named = columns.length === 0 ? (Object.keys(ARRAYS) as Column[]) : columns;
  const arrays = named.map((column) => `d.${ARRAYS[column]}`);
  return `cross join lateral unnest(${arrays.join(', ')}) as u (${named.join(', ')})`;
}

/** The same columns in a list of what is selected, without a join: it takes half as long. */
export function membersOfDay(...columns: readonly Column[]): string {
  return columns.map((column) => `unnest(d.${ARRAYS[column]}) as ${column}`).join(', ');
}

/** The sums of a row `d` of `day_usage`, one by one as `u`: to be joined with it. */
export const SUMS_OF_DAY = `cross join lateral unnest(d.resources, d.regions, d.rules, d.kinds,
    d.api_keys, d.calls, d.call_costs, d.data_costs)
  as u (resource, region, rule, kind, api_key, calls, call_cost, data_cost)`;

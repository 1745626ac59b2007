/**
 * The local date of the account in `a`, a row of `ledger_account`, in SQL: a test clock shows
 * another one than `today`, that of all others. Both that and `zone` are names of parameters.
 */
export function accountToday(zone: `$${number}`, today: `$${number}`): string {
  return `coalesce(to_char(
  to_timestamp((a.state ->> 'testClock')::bigint / 1000.0) at time zone ${zone}, 'YYYY-MM-DD'), ${today})`;
}

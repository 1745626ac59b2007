/** Minor units and an ISO 4217 code: `79343`, `EUR` → `€793.43`; `500`, `JPY` → `¥500`. */
export function formatMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minor / 10 ** digits).replace('-', '−');
}

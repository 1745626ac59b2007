const GROUPED = new Intl.NumberFormat('en-GB');
const COMPACT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const CHANGE = new Intl.NumberFormat('en-GB', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const ONE_DECIMAL = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** `1234567` → `1,234,567`; a true minus sign. */
export function formatNumber(value: number): string {
  return GROUPED.format(value).replace('-', '−');
}

/** `12345` → `12.3k`, for axes and cells; larger ones end in `m` and `bn`. */
export function formatCompact(value: number): string {
  return COMPACT.format(value).replace('K', 'k').replace('-', '−');
}

/** `1` → `1 credit`, `1000` → `1,000 credits` */
export function formatCredits(value: number): string {
  return `${formatNumber(value)} ${Math.abs(value) === 1 ? 'credit' : 'credits'}`;
}

/** A count and what is counted: `1 call`, `12 calls`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** `12.34` → `+12.3 %`, `21` → `+21.0 %`; null: nothing to compare with. */
export function formatChange(percent: number | null): string {
  if (percent === null) return '–';
  const text = CHANGE.format(Math.abs(percent));
  if (text === '0.0') return '0 %';
  return `${percent > 0 ? '+' : '−'}${text} %`;
}

/** A part of a whole, `0.123` → `12.3 %`; null: unknown. */
export function formatShare(share: number | null): string {
  return share === null ? '–' : `${ONE_DECIMAL.format(share * 100)} %`;
}

/** How far `value` is from `before`, in percent; null where there is nothing to compare with. */
export function changePercent(value: number, before: number): number | null {
  return before === 0 ? null : ((value - before) / before) * 100;
}

import type { DataCost } from '#rating/rate-card.js';
import { formatNumber } from './credits.js';

/** `49,990`, `5 a row`, `3 × input_tokens + 12 × output_tokens, of 1,000`: parts of a credit. */
export function dataCostText(cost: DataCost): string {
  if ('flat' in cost) return formatNumber(cost.flat);
  if ('per_row' in cost) return `${formatNumber(cost.per_row)} a row`;
  const prices = Object.entries(cost.per).map(
    ([unit, price]) => `${formatNumber(price)} × ${unit}`,
  );
  return `${prices.join(' + ')}${cost.of === 1 ? '' : `, of ${formatNumber(cost.of)}`}`;
}

import { taxOn } from '#invoice-rules/tax.js';
import { formatMoney } from '../format/money.js';

interface PriceTotalProps {
  /** In minor units. */
  readonly net: number;
  readonly currency: string;
  /** Undefined: no tax is chosen, and none is due. */
  readonly tax: { readonly rate_percent: number } | undefined;
}

/** Net, tax and total of a price, as its invoice will state them. */
export function PriceTotal({ net, currency, tax }: PriceTotalProps) {
  const rate = tax?.rate_percent ?? 0;
  const due = taxOn(net, rate);
  return (
    <>
      {formatMoney(net, currency)} net + {formatMoney(due, currency)} tax ({rate} %) ={' '}
      <strong>{formatMoney(net + due, currency)}</strong>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { moneyOf, type CreditPrice } from '../format/money.js';
import { portal } from '../rest/portal.js';
import { one } from '../rest/reads.js';

/** The account's price of 1,000 credits before tax; null: it has none. */
export function useCreditPrice(): CreditPrice | null {
  return useQuery(one(portal.getForecast())).data?.credit_price ?? null;
}

/** Credits as money before tax, `≈ US$750.00`; undefined where they have no price. */
export function useWorth(): (credits: number) => string | undefined {
  const price = useCreditPrice();
  return (credits) => {
    const money = moneyOf(credits, price);
    return money === undefined ? undefined : `≈ ${money}`;
  };
}

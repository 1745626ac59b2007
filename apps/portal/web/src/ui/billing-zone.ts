import { createContext, useContext } from 'react';

/** The zone in which Tuesdays, days and months begin. */
export const BillingZone = createContext('UTC');

export function useBillingZone(): string {
  return useContext(BillingZone);
}

import type { Plan } from '#account/terms.js';
import type { Party } from '../../rest/answers.js';

/** When invoices are issued: for months of a plan, and for purchases. */
export function invoicedWhen(plan: Plan | null, purchases: Party['purchases']): string {
  const isMonthly = purchases === 'monthly';
  if (plan !== null) {
    return isMonthly
      ? 'An invoice is issued right after each month, with the purchases of that month.'
      : 'An invoice is issued right after each month, and for a purchase of credits at once.';
  }
  return isMonthly
    ? 'Credits are bought from the provider, who sends an invoice for the purchases of each month.'
    : 'Credits are bought from the provider, who sends an invoice for each purchase at once.';
}

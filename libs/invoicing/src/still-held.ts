import type pg from 'pg';
import type { AccountState } from '#account/state.js';
import { isBillable } from '#invoice-rules/invoice-lines.js';
import type { Calendar } from '#calendar/calendar.js';
import { withTransaction } from '#database/database.js';
import { readClosesOf } from '#projections/invoices/account-closes.js';
import { readClosedMonths, type MonthReading } from '#projections/invoices/closed-months.js';
import { dropHeld, type KeptHeld } from '#projections/invoices/held-invoices.js';

/**
 * Held invoices of an account of which a month is to be invoiced. A month of which nothing is left
 * to bill, as its purchases were voided meanwhile, is forgotten: it holds no later one.
 */
export async function stillHeld(
  pool: pg.Pool,
  { accountId, facts }: MonthReading,
  { billing }: AccountState,
  held: readonly KeptHeld[],
  calendar: Calendar,
): Promise<readonly KeptHeld[]> {
  const isUpTo = ({ isMonth, month }: KeptHeld) => isMonth && month <= facts.month;
  if (!held.some(isUpTo)) return held;
  const closes = await readClosesOf(pool, accountId, billing.invoicedMonth);
  const empty = new Set<string>();
  for (const close of closes.filter(({ month }) => held.some((one) => one.month === month))) {
    const [reading] = await withTransaction(
      pool,
      (client) => readClosedMonths(client, [close], calendar),
      'repeatable read',
    );
    if (reading !== undefined && !isBillable(reading.facts)) empty.add(close.month);
  }
  const isEmpty = (one: KeptHeld) => isUpTo(one) && empty.has(one.month);
  const gone = held.filter(isEmpty).map(({ documentId }) => ({ accountId, documentId }));
  await dropHeld(pool, gone);
  return held.filter((one) => !isEmpty(one));
}

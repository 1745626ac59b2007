import { csvLine } from '#invoice-rules/csv-rows.js';
import { safeText } from '#invoice-rules/csv-text.js';
import { formatAmount } from '#invoice-rules/money.js';
import type { Receivables } from './receivables.schemas.js';

const COLUMNS = [
  'date',
  'type',
  'number',
  'id',
  'reference',
  'currency',
  'amount',
  'amount_minor',
  'balance',
  'balance_minor',
  'due_date',
  'due',
  'due_minor',
  'days_overdue',
  'age',
];

/** A row for each entry; that of an open invoice says what is due of it, and for how long. */
export function receivablesCsv({ entries, open, currency }: Receivables): string {
  const byId = new Map(open.map((one) => [one.id, one]));
  const lines = entries.map(({ date, type, number, id, reference, amount, balance }) => {
    const item = byId.get(id);
    return csvLine([
      date,
      type,
      number ?? '',
      id,
      safeText(reference ?? ''),
      currency,
      formatAmount(amount, currency),
      amount,
      formatAmount(balance, currency),
      balance,
      ...(item === undefined
        ? ['', '', '', '', '']
        : [item.due_date, formatAmount(item.due, currency), item.due, item.days_overdue, item.age]),
    ]);
  });
  return [csvLine(COLUMNS), ...lines].join('');
}

import { formatDate, parseDate } from '#calendar/civil-date.js';
import type { InvoiceAccount } from './invoice-account.js';

export type ReminderLevel = 'first' | 'second' | 'last';

/**
 * The level of a reminder, by its days after the due date and those of the earlier ones. The first
 * that is sent is a first one, also where others were missed; the last is that of the last day on
 * which the seller reminds; all between are second ones.
 */
export function reminderLevel(
  after: number,
  sent: readonly number[],
  days: readonly number[],
): ReminderLevel {
  if (!sent.some((earlier) => earlier < after)) return 'first';
  return days.some((day) => day > after) ? 'second' : 'last';
}

/**
 * The reminder that is due on a local date, by its days after the due date; null: none. `days`:
 * when the seller reminds. Of several that have come meanwhile only the last is due, and none
 * before one that was sent.
 */
export function reminderDue(
  { invoice, due, reminded }: Pick<InvoiceAccount, 'invoice' | 'due' | 'reminded'>,
  days: readonly number[],
  today: string,
): number | null {
  if (due <= 0 || reminded.isStopped) return null;
  const dueDay = parseDate(invoice.due_date);
  if (dueDay === undefined) throw new RangeError(`"${invoice.due_date}" is no date.`);
  const come = days.filter((after) => formatDate(dueDay + after) <= today);
  const last = Math.max(0, ...come);
  return last > reminded.days ? last : null;
}

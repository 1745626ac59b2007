import { formatAmount } from '#invoice-rules/money.js';
import { purchasedGrants } from '#invoice-rules/purchased-grants.js';
import {
  grantSchedules,
  RevenueSchedule,
  type ScheduleMonth,
} from '#invoice-rules/revenue-schedule.js';
import type { Calendar } from '#calendar/calendar.js';
import { csvTable, type Column } from '#web/csv.js';
import type { AccountBooks, BooksReader } from './account-books.js';
import { isClosedBy } from './credit-liabilities.js';

/** Labels of the months from one to another. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = monthAfter(month)) months.push(month);
  return months;
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/** Purchased credits of all accounts in these months, added up. */
export async function revenueSchedule(
  books: BooksReader,
  { months, test }: { readonly months: readonly string[]; readonly test: boolean },
  calendar: Calendar,
): Promise<RevenueSchedule> {
  const schedule = new RevenueSchedule();
  for await (const batch of books.all(test)) {
    for (const account of batch) {
      for (const month of months) addMonth(schedule, account, month, calendar);
    }
  }
  return schedule;
}

function addMonth(
  schedule: RevenueSchedule,
  { present, state, changes }: AccountBooks,
  month: string,
  calendar: Calendar,
): void {
  if (present < month) return;
  const { grants } = purchasedGrants(month, changes, state, calendar);
  const isClosed = isClosedBy(state, month, calendar);
  for (const { liability, amounts } of grantSchedules(grants, isClosed)) {
    if (liability.opening.credits + liability.sold.credits === 0) continue;
    schedule.add(month, state.currency, amounts);
  }
}

const AMOUNTS = [
  'opening',
  'sold',
  'refunded',
  'used',
  'breakage',
  'recognised',
  'closing',
  'closed_accounts',
  'expected_breakage',
] as const;
const COLUMNS: readonly Column<ScheduleMonth>[] = [
  { name: 'month', cell: (row) => row.month },
  { name: 'currency', cell: (row) => row.currency },
  { name: 'final', cell: (row) => String(row.final) },
  ...AMOUNTS.flatMap((name): Column<ScheduleMonth>[] => [
    { name, cell: (row) => formatAmount(row[name], row.currency) },
    { name: `${name}_minor`, cell: (row) => row[name] },
  ]),
];

/** A row for each month and currency. */
export function scheduleCsv(rows: readonly ScheduleMonth[]): string {
  return csvTable(COLUMNS, rows);
}

import type pg from 'pg';
import { AGES, type Age } from '#billing/account-statement.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Summary } from './summary.schemas.js';

type Money = Summary['money'][number];
type MonthSums = Money['months'][number];

interface IssuedRow extends MonthSums {
  readonly currency: string;
}

interface DueRow {
  readonly currency: string;
  /** Its place among the ages. */
  readonly age: number;
  readonly due: number;
  readonly invoices: number;
}

/** Issued, paid and due of customers, or of test accounts, by currency. `now`: ms since 1970. */
export async function readMoney(
  pool: pg.Pool,
  calendar: Calendar,
  now: number,
  test: boolean,
): Promise<readonly Money[]> {
  const month = calendar.monthAt(now);
  const before = calendar.monthAt(month.startsAt - 1);
  const months = [before.label, month.label];
  const [issued, due] = await Promise.all([
    readIssued(pool, months, test),
    readDue(pool, calendar.dayAt(now).label, test),
  ]);
  const currencies = new Set([...issued, ...due].map(({ currency }) => currency));
  return [...currencies].toSorted().map((currency) => ({
    currency,
    months: months.map((label) => {
      const found = issued.find((row) => row.currency === currency && row.month === label);
      const { invoices = 0, issued: total = 0, paid = 0 } = found ?? {};
      return { month: label, invoices, issued: total, paid };
    }),
    ...dueOf(due.filter((row) => row.currency === currency)),
  }));
}

async function readIssued(
  pool: pg.Pool,
  months: readonly string[],
  test: boolean,
): Promise<IssuedRow[]> {
  const { rows } = await pool.query<IssuedRow>({
    name: 'summary-issued',
    text: `select currency, left(issue_date, 7) as month, count(*) as invoices,
                  sum(total)::bigint as issued, sum(paid)::bigint as paid
             from invoice
            where issue_date >= $1 and left(issue_date, 7) = any ($2)
              and series like 'TEST-%' = $3
            group by 1, 2`,
    values: [months[0], months, test],
  });
  return rows;
}

/** `today`: a local date. */
async function readDue(pool: pg.Pool, today: string, test: boolean): Promise<DueRow[]> {
  const { rows } = await pool.query<DueRow>({
    name: 'summary-due',
    text: `select currency, sum(total - paid - credited - written_off)::bigint as due,
                  count(*) as invoices,
                  least(ceil(greatest(0, $1::date - due_date::date) / 30.0), $2)::int as age
             from invoice
            where paid + credited + written_off < total and series like 'TEST-%' = $3
            group by currency, age`,
    values: [today, AGES.length - 1, test],
  });
  return rows;
}

function dueOf(rows: readonly DueRow[]): Omit<Money, 'currency' | 'months'> {
  const of = (age: number): number => rows.find((row) => row.age === age)?.due ?? 0;
  const late = rows.filter(({ age }) => age > 0);
  const sum = (some: readonly DueRow[]): number => some.reduce((total, { due }) => total + due, 0);
  return {
    due: sum(rows),
    overdue: sum(late),
    overdue_invoices: late.reduce((total, { invoices }) => total + invoices, 0),
    ageing: Object.fromEntries(AGES.map((age, n) => [age, of(n)])) as Record<Age, number>,
  };
}

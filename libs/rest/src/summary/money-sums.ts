import type pg from 'pg';
import { AGES, type Age } from '#invoice-rules/account-statement.js';
import type { Calendar } from '#calendar/calendar.js';
import { withTransaction } from '#database/database.js';
import { accountToday, readLocalDates } from '#projections/reads/account-today.js';
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
    test ? readTestDue(pool, calendar, now) : readDue(pool, calendar.dayAt(now).label),
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

/** By the age of each invoice on `today`. */
async function readDue(pool: pg.Pool, today: string): Promise<DueRow[]> {
  const { rows } = await pool.query<DueRow>({
    name: 'summary-due',
    text: dueText('$1::date', '', "not like 'TEST-%'"),
    values: [today, AGES.length - 1],
  });
  return rows;
}

/** By the age of each invoice on the date that the test clock of its account shows. */
async function readTestDue(pool: pg.Pool, calendar: Calendar, now: number): Promise<DueRow[]> {
  const account = 'left join ledger_account a on a.lane = i.lane and a.account_id = i.account_id';
  return withTransaction(
    pool,
    async (client) => {
      const { today, ofTestClocks } = await readLocalDates(client, calendar, now);
      const { rows } = await client.query<DueRow>({
        name: 'summary-due-test',
        text: dueText(`${accountToday('$3', '$1')}::date`, account, "like 'TEST-%'"),
        values: [today, AGES.length - 1, ofTestClocks],
      });
      return rows;
    },
    'repeatable read',
  );
}

/** `day`: that on which it is asked how old an invoice is. */
function dueText(day: string, from: string, series: string): string {
  return `select i.currency, sum(i.total - i.paid - i.credited - i.written_off)::bigint as due,
                 count(*) as invoices,
                 least(ceil(greatest(0, ${day} - i.due_date::date) / 30.0), $2)::int as age
            from invoice i ${from}
           where i.paid + i.credited + i.written_off < i.total and i.series ${series}
           group by i.currency, age`;
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

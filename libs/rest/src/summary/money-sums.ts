import type pg from 'pg';
import { AGES, type Age } from '#invoice-rules/account-statement.js';
import type { Calendar } from '#calendar/calendar.js';
import { sumHeld } from '#projections/invoices/held-invoices.js';
import { withAccountNames } from '#projections/reads/account-names.js';
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

interface CreditedRow {
  readonly currency: string;
  readonly month: string;
  readonly credited: number;
}

const YEAR_MONTHS = 12;
const ACCOUNTS_MAX = 10;

interface MoneyParts {
  /** Ms since 1970. */
  readonly now: number;
  readonly test: boolean;
  /** By currency, in minor units. */
  readonly liabilities: ReadonlyMap<string, number>;
}

/** Money of customers, or of test accounts, by currency. */
export async function readMoney(
  client: pg.ClientBase,
  calendar: Calendar,
  { now, test, liabilities }: MoneyParts,
): Promise<readonly Money[]> {
  const month = calendar.monthAt(now);
  const before = calendar.monthAt(month.startsAt - 1);
  const months = [before.label, month.label];
  const issued = await readIssued(client, months, test);
  const credited = await readCredited(client, months, test);
  const due = test
    ? await readTestDue(client, calendar, now)
    : await readDue(client, calendar.dayAt(now).label);
  const held = await sumHeld(client, test);
  const found = [...issued, ...credited, ...due, ...held].map(({ currency }) => currency);
  const money: Money[] = [];
  for (const currency of [...new Set([...found, ...liabilities.keys()])].toSorted()) {
    const isOwn = (row: { readonly currency: string }): boolean => row.currency === currency;
    const { invoices: held_invoices = 0, total: held_total = 0 } = held.find(isOwn) ?? {};
    const [notes, ownIssued] = [credited.filter(isOwn), issued.filter(isOwn)];
    money.push({
      currency,
      months: months.map((label) => monthSums(label, ownIssued, notes)),
      ...dueOf(due.filter(isOwn)),
      held_invoices,
      held_total,
      liability: liabilities.get(currency) ?? 0,
      accounts: await readLargest(client, yearBefore(calendar, now), currency, test),
    });
  }
  return money;
}

function monthSums(
  month: string,
  invoices: readonly IssuedRow[],
  notes: readonly CreditedRow[],
): MonthSums {
  const found = invoices.find((row) => row.month === month);
  const { invoices: count = 0, issued = 0, paid = 0 } = found ?? {};
  const credited = notes.find((row) => row.month === month)?.credited ?? 0;
  return { month, invoices: count, issued, credited, paid };
}

/** The first day of the eleventh month before the running one. */
function yearBefore(calendar: Calendar, now: number): string {
  let month = calendar.monthAt(now);
  for (let n = 1; n < YEAR_MONTHS; n += 1) month = calendar.monthAt(month.startsAt - 1);
  return `${month.label}-01`;
}

async function readIssued(
  client: pg.ClientBase,
  months: readonly string[],
  test: boolean,
): Promise<IssuedRow[]> {
  const { rows } = await client.query<IssuedRow>({
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

async function readCredited(
  client: pg.ClientBase,
  months: readonly string[],
  test: boolean,
): Promise<CreditedRow[]> {
  const { rows } = await client.query<CreditedRow>({
    name: 'summary-credited',
    text: `select currency, left(issue_date, 7) as month, sum(total)::bigint as credited
             from credit_note
            where issue_date >= $1 and left(issue_date, 7) = any ($2)
              and series like 'TEST-%' = $3
            group by 1, 2`,
    values: [months[0], months, test],
  });
  return rows;
}

/** Accounts that were billed most since a day, with what credit notes have left of it. */
async function readLargest(
  client: pg.ClientBase,
  since: string,
  currency: string,
  test: boolean,
): Promise<Money['accounts']> {
  const { rows } = await client.query<{ readonly account_id: string; readonly billed: number }>({
    name: 'summary-largest',
    text: `select account_id, sum(total - credited)::bigint as billed
             from invoice
            where issue_date >= $1 and currency = $2 and series like 'TEST-%' = $3
            group by account_id having sum(total - credited) > 0
            order by billed desc, account_id limit ${ACCOUNTS_MAX}`,
    values: [since, currency, test],
  });
  return withAccountNames(client, rows);
}

/** By the age of each invoice on `today`. */
async function readDue(client: pg.ClientBase, today: string): Promise<DueRow[]> {
  const { rows } = await client.query<DueRow>({
    name: 'summary-due',
    text: dueText('$1::date', '', "not like 'TEST-%'"),
    values: [today, AGES.length - 1],
  });
  return rows;
}

/** By the age of each invoice on the date that the test clock of its account shows. */
async function readTestDue(
  client: pg.ClientBase,
  calendar: Calendar,
  now: number,
): Promise<DueRow[]> {
  const account = 'left join ledger_account a on a.lane = i.lane and a.account_id = i.account_id';
  const { today, ofTestClocks } = await readLocalDates(client, calendar, now);
  const { rows } = await client.query<DueRow>({
    name: 'summary-due-test',
    text: dueText(`${accountToday('$3', '$1')}::date`, account, "like 'TEST-%'"),
    values: [today, AGES.length - 1, ofTestClocks],
  });
  return rows;
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

function dueOf(
  rows: readonly DueRow[],
): Pick<Money, 'due' | 'overdue' | 'overdue_invoices' | 'ageing'> {
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

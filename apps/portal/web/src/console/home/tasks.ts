import { formatCount, formatNumber } from '../../format/credits.js';
import { sumsByCurrency } from '../../format/money.js';
import type { Summary, TopUpOrder } from '../../rest/answers.js';

/** Something that waits for an operator. */
export interface Task {
  readonly name: string;
  /** The list that it is on. */
  readonly to: string;
  readonly search: Readonly<Record<string, string | boolean>>;
  readonly count: string;
  readonly amounts: readonly { readonly minor: number; readonly currency: string }[];
  /** Some of the accounts, where the list does not show them alone. */
  readonly accounts: readonly { account_id: string; account_name: string | null }[];
}

type Of = Pick<Summary, 'test' | 'money' | 'open_disputes' | 'without_credits' | 'refusals'>;
type Money = Summary['money'][number];

const NAMED = 5;

/** Tasks for operators, the most pressing first; none that is done. */
export function tasksOf(
  { test, money, open_disputes, without_credits, refusals }: Of,
  orders: readonly Pick<TopUpOrder, 'account_id' | 'account_name' | 'price' | 'currency'>[] = [],
): Task[] {
  const tests = test ? { test } : undefined;
  const invoices = (name: string, status: string, countOf: Amount, amountOf: Amount): Task[] => {
    const found = money.filter((one) => countOf(one) > 0);
    if (found.length === 0) return [];
    const count = formatNumber(found.reduce((sum, one) => sum + countOf(one), 0));
    const amounts = found.map((one) => ({ minor: amountOf(one), currency: one.currency }));
    return [{ name, to: '/invoices', search: { status, ...tests }, count, amounts, accounts: [] }];
  };
  const other = (number: number, task: Pick<Task, 'name' | 'to'> & Partial<Task>): Task[] =>
    number === 0
      ? []
      : [{ search: {}, count: formatNumber(number), amounts: [], accounts: [], ...task }];
  const { disputes } = open_disputes;
  const { accounts: without, first } = without_credits;
  return [
    ...other(orders.length, {
      name: 'Open orders of credits, before tax',
      to: '/accounts',
      amounts: sumsByCurrency(orders, ({ price }) => price),
      accounts: orders.slice(0, NAMED).map(({ account_id, account_name = null }) => {
        return { account_id, account_name };
      }),
    }),
    ...invoices('Held invoices', 'held', countHeld, ({ held_total: total }) => total),
    ...invoices('Overdue invoices', 'overdue', countOverdue, ({ overdue }) => overdue),
    ...other(disputes, { name: 'Open disputes', to: '/disputes', search: { status: 'open' } }),
    ...other(without, {
      name: 'Accounts without credits',
      to: '/accounts',
      accounts: first.slice(0, NAMED),
    }),
    ...other(refusals.calls, {
      name: `Refused calls of ${formatCount(refusals.accounts, 'account')} in 24 hours`,
      to: '/refusals',
    }),
  ];
}

type Amount = (of: Money) => number;

const countHeld: Amount = ({ held_invoices: count }) => count;
const countOverdue: Amount = ({ overdue_invoices: count }) => count;

import { Link } from '@tanstack/react-router';
import { formatCount, formatNumber } from '../../format/credits.js';
import { monthName } from '../../format/days.js';
import { formatMoney } from '../../format/money.js';
import { money } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { Figure, Figures } from '../../ui/figures.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { AccountLink } from '../accounts/account-link.js';
import type { Summary } from '../../rest/answers.js';

type Money = Summary['money'][number];

/** Money of one currency: issued in two months, and to be paid. */
export function MoneyFigures({
  money: of,
  test,
}: {
  readonly money: Money;
  readonly test: boolean;
}) {
  const { currency, months, due, overdue, overdue_invoices: late } = of;
  const amount = (minor: number) => formatMoney(minor, currency);
  const invoices = '/invoices' as string;
  const searchOf = (search: object) => ({ ...search, ...(test && { test }) }) as never;
  return (
    <Figures>
      {months.toReversed().map(({ month, invoices: count, issued, credited, paid }) => (
        <Figure
          key={month}
          name={
            <Link to={invoices} search={searchOf({ month })}>
              Issued in {monthName(`${month}-01`)}
            </Link>
          }
          note={
            `${formatCount(count, 'invoice')}, ${amount(paid)} paid` +
            (credited === 0 ? '' : `; net of credit notes over ${amount(credited)}`)
          }
        >
          {amount(issued - credited)}
        </Figure>
      ))}
      <Figure
        name={
          <Link to={invoices} search={searchOf({})}>
            To be paid
          </Link>
        }
        note={`${amount(due - overdue)} not due yet`}
      >
        {amount(due)}
      </Figure>
      <Figure
        name={
          <Link to={invoices} search={searchOf({ status: 'overdue' })}>
            Overdue
          </Link>
        }
        note={formatCount(late, 'invoice')}
      >
        {amount(overdue)}
      </Figure>
    </Figures>
  );
}

/** Credits of the running month, and those that are owed. */
export function CreditFigures({ of: { credits, money: sums } }: { readonly of: Summary }) {
  const { month, sold, used, left } = credits;
  const running = monthName(`${month}-01`);
  const worth = sums
    .filter(({ liability }) => liability !== 0)
    .map(({ liability, currency }) => formatMoney(liability, currency));
  return (
    <Figures>
      <Figure name="Credits sold" note={`purchased in ${running}`}>
        {formatNumber(sold)}
      </Figure>
      <Figure name="Credits used" note={`by calls of ${running}`}>
        {formatNumber(used)}
      </Figure>
      <Figure
        name={<Link to={'/exports' as string}>Credit liability</Link>}
        note={worth.length === 0 ? 'purchased and left' : `worth ${worth.join(' + ')} before tax`}
      >
        {formatNumber(left)}
      </Figure>
    </Figures>
  );
}

type Billed = Money['accounts'][number];

/** Accounts that were billed most, of one currency. */
export function Largest({ of: { currency, accounts } }: { readonly of: Money }) {
  const columns: Columns<Billed> = [
    {
      label: 'Account',
      kind: 'main',
      sort: (one) => one.account_name ?? one.account_id,
      cell: (one) => <AccountLink of={one} part="/invoices" />,
    },
    money(
      'Billed',
      ({ billed }) => billed,
      () => currency,
    ),
  ];
  return (
    <Panel flush title="Largest accounts" aside={`12 months, net of credit notes, in ${currency}`}>
      {accounts.length === 0 ? (
        <Empty title="No invoice in 12 months" />
      ) : (
        <DataTable
          label={`Largest accounts in ${currency}`}
          columns={columns}
          rows={accounts}
          keyOf={(one) => one.account_id}
        />
      )}
    </Panel>
  );
}

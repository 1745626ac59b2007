import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatNumber } from '../../format/credits.js';
import { addDays, monthName, shortDay } from '../../format/days.js';
import { formatMoney } from '../../format/money.js';
import { formatExact } from '../../format/moments.js';
import { ChangeArrow } from '../../ui/change-arrow.js';
import { changePercent } from '../../format/credits.js';
import { Figure, Figures } from '../../ui/figures.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { Heads, Table, mainCell, numberCell } from '../../ui/table.js';
import { useZones } from '../../ui/zones.js';
import { REFUSAL_REASONS } from '../../account/refusal-table.js';
import css from '../console.module.css';
import type { Summary } from '../rest/admin-answers.js';
import { summaryQuery } from '../rest/admin-queries.js';
import { ServiceFacts } from './service-facts.js';

type Money = Summary['money'][number];

const OF_TESTS = 'Of test accounts, until there is another account';

/** The first page of operators: figures, each with the page that explains it. */
export function HomePage() {
  const summary = useQuery(summaryQuery);
  const { shown } = useZones();
  const { data } = summary;
  return (
    <Page
      title="Overview"
      wide
      lead={
        data === undefined
          ? 'Of all customers, without test accounts.'
          : `${data.test ? OF_TESTS : 'Of all customers, without test accounts'}, as of ${formatExact(data.at, shown)}.`
      }
    >
      <Loaded of={summary} rows={8}>
        {(view) => (
          <>
            {view.money.map((money) => (
              <MoneyFigures key={money.currency} money={money} />
            ))}
            <div className={css.columns}>
              <Ageing of={view.money} held={view.held_invoices} />
              <ServiceFacts />
              <Changes of={view.changes} />
              <Refusals of={view.refusals} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function MoneyFigures({ money }: { readonly money: Money }) {
  const { currency, months, due, overdue, overdue_invoices: late } = money;
  const amount = (minor: number) => formatMoney(minor, currency);
  return (
    <Figures>
      {months.toReversed().map(({ month, invoices, issued, paid }) => (
        <Figure
          key={month}
          name={<Link to={'/invoices' as string}>Issued in {monthName(`${month}-01`)}</Link>}
          note={`${formatCount(invoices, 'invoice')}, ${amount(paid)} paid`}
        >
          {amount(issued)}
        </Figure>
      ))}
      <Figure
        name={<Link to={'/invoices' as string}>To be paid</Link>}
        note={`${amount(due - overdue)} not due yet`}
      >
        {amount(due)}
      </Figure>
      <Figure
        name={
          <Link to={'/invoices' as string} search={{ status: 'overdue' } as never}>
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

const AGES = [
  ['not_due', 'Not due'],
  ['days_1_30', '1–30 days'],
  ['days_31_60', '31–60 days'],
  ['days_61_90', '61–90 days'],
  ['over_90', 'Longer'],
] as const;

interface AgeingProps {
  readonly of: Summary['money'];
  readonly held: number;
}

function Ageing({ of, held }: AgeingProps) {
  return (
    <Panel
      flush
      title="Receivables by age"
      aside={
        <Link to={'/invoices' as string} search={{ status: 'held' } as never}>
          {formatCount(held, 'held invoice')}
        </Link>
      }
    >
      {of.length === 0 ? (
        <Empty title="Nothing was issued yet" />
      ) : (
        <Table
          label="Receivables by age"
          head={<Heads of={['Overdue for', ...of.map(({ currency }) => `#${currency}`)]} />}
        >
          {AGES.map(([age, label]) => (
            <tr key={age}>
              <td>{label}</td>
              {of.map(({ currency, ageing }) => (
                <td key={currency} className={numberCell}>
                  {formatMoney(ageing[age], currency)}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function daysOf({ from, to }: Summary['changes']['span']): string {
  const last = addDays(to, -1);
  return last === from ? shortDay(from) : `${shortDay(from)} to ${shortDay(last)}`;
}

const CHANGES: readonly SortedColumn<Summary['changes']['accounts'][number]>[] = [
  { name: 'account', label: 'Account', value: (one) => one.account_name ?? one.account_id },
  { name: 'before', label: 'Before', isNumber: true, value: (one) => one.credits_before },
  { name: 'now', label: 'Now', isNumber: true, value: ({ credits }) => credits },
  { name: 'change', label: 'Change', isNumber: true, value: ({ difference }) => difference },
];

function Changes({ of: { span, before, accounts } }: { readonly of: Summary['changes'] }) {
  return (
    <Panel
      flush
      title="Largest changes"
      aside={`${daysOf(span)} against ${daysOf(before)}, in credits`}
    >
      {accounts.length === 0 ? (
        <Empty title="Nobody spends more or less than before" />
      ) : (
        <SortedTable label="Largest changes" columns={CHANGES} rows={accounts}>
          {({ account_id: id, account_name: name, ...sums }) => (
            <tr key={id}>
              <td className={mainCell}>
                <Link
                  to={'/calls' as string}
                  search={{ account_id: id, from: span.from, to: span.to } as never}
                >
                  {name ?? id.slice(0, 8)}
                </Link>
              </td>
              <td className={numberCell}>{formatNumber(sums.credits_before)}</td>
              <td className={numberCell}>{formatNumber(sums.credits)}</td>
              <td className={numberCell}>
                {sums.difference > 0 && '+'}
                {formatNumber(sums.difference)}{' '}
                <ChangeArrow percent={changePercent(sums.credits, sums.credits_before)} />
              </td>
            </tr>
          )}
        </SortedTable>
      )}
    </Panel>
  );
}

const REASONS: readonly SortedColumn<Summary['refusals']['reasons'][number]>[] = [
  { name: 'reason', label: 'Reason', value: ({ code }) => REFUSAL_REASONS[code] },
  { name: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
  { name: 'accounts', label: 'Accounts', isNumber: true, value: ({ accounts }) => accounts },
];

function Refusals({ of: { calls, accounts, reasons } }: { readonly of: Summary['refusals'] }) {
  return (
    <Panel
      flush
      title="Refused calls of a day"
      aside={
        <Link to={'/refusals' as string}>
          {`${formatCount(calls, 'call')} of ${formatCount(accounts, 'account')}`}
        </Link>
      }
    >
      {reasons.length === 0 ? (
        <Empty title="No call was refused" />
      ) : (
        <SortedTable label="Refused calls" columns={REASONS} rows={reasons}>
          {({ code, calls: times, accounts: of }) => (
            <tr key={code}>
              <td className={mainCell}>{REFUSAL_REASONS[code]}</td>
              <td className={numberCell}>{formatNumber(times)}</td>
              <td className={numberCell}>{formatNumber(of)}</td>
            </tr>
          )}
        </SortedTable>
      )}
    </Panel>
  );
}

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
import { useZones } from '../../ui/zones.js';
import { REFUSAL_REASONS } from '../../account/refusal-table.js';
import css from '../console.module.css';
import { ServiceFacts } from './service-facts.js';
import { summaryQuery } from '../queries.js';
import type { Summary } from '../../rest/answers.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { main, money, number, text } from '../../ui/columns.js';

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
            {view.money.map((one) => (
              <MoneyFigures key={one.currency} money={one} />
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

function MoneyFigures({ money: of }: { readonly money: Money }) {
  const { currency, months, due, overdue, overdue_invoices: late } = of;
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

function ageing(of: Summary['money']): Columns<(typeof AGES)[number]> {
  return [
    text('Overdue for', ([, label]) => label),
    ...of.map(({ currency, ageing: sums }) =>
      money<(typeof AGES)[number]>(
        currency,
        ([age]) => sums[age],
        () => currency,
      ),
    ),
  ];
}

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
        <DataTable
          label="Receivables by age"
          columns={ageing(of)}
          rows={AGES}
          keyOf={([age]) => age}
          isFixed
        />
      )}
    </Panel>
  );
}

function daysOf({ from, to }: Summary['changes']['span']): string {
  const last = addDays(to, -1);
  return last === from ? shortDay(from) : `${shortDay(from)} to ${shortDay(last)}`;
}

type Changed = Summary['changes']['accounts'][number];

function changedIn({ from, to }: Summary['changes']['span']): Columns<Changed> {
  return [
    {
      label: 'Account',
      kind: 'main',
      sort: (one) => one.account_name ?? one.account_id,
      cell: ({ account_id: id, account_name: name }) => (
        <Link to={'/calls' as string} search={{ account_id: id, from, to } as never}>
          {name ?? id.slice(0, 8)}
        </Link>
      ),
    },
    number('Before', (one) => one.credits_before),
    number('Now', ({ credits }) => credits),
    {
      ...number('Change', ({ difference }) => difference),
      cell: ({ difference, credits, credits_before: before }) => (
        <>
          {difference > 0 && '+'}
          {formatNumber(difference)} <ChangeArrow percent={changePercent(credits, before)} />
        </>
      ),
    },
  ];
}

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
        <DataTable
          label="Largest changes"
          columns={changedIn(span)}
          rows={accounts}
          keyOf={(one) => one.account_id}
        />
      )}
    </Panel>
  );
}

const REASONS: Columns<Summary['refusals']['reasons'][number]> = [
  main('Reason', ({ code }) => REFUSAL_REASONS[code]),
  number('Calls', ({ calls }) => calls),
  number('Accounts', ({ accounts }) => accounts),
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
        <DataTable
          label="Refused calls"
          columns={REASONS}
          rows={reasons}
          keyOf={({ code }) => code}
        />
      )}
    </Panel>
  );
}

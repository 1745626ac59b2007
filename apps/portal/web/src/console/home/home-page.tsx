import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatCount, formatNumber } from '../../format/credits.js';
import { addDays, shortDay } from '../../format/days.js';
import { formatExact } from '../../format/moments.js';
import { ChangeArrow } from '../../ui/change-arrow.js';
import { changePercent } from '../../format/credits.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { useZones } from '../../ui/zones.js';
import { REFUSAL_REASONS } from '../../account/refusal-table.js';
import css from '../console.module.css';
import { NewCustomer } from '../new-customer/new-customer-button.js';
import { ServiceFacts } from './service-facts.js';
import { CreditFigures, Largest, MoneyFigures } from './home-figures.js';
import { ToDo } from './to-do.js';
import { summaryQuery } from '../queries.js';
import type { Summary } from '../../rest/answers.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { main, money, number, text } from '../../ui/columns.js';

/** The first page of operators: what is to do, and figures, each with the page that explains it. */
export function HomePage() {
  const { test }: { readonly test?: unknown } = useSearch({ strict: false });
  const summary = useQuery(summaryQuery(typeof test === 'boolean' ? test : null));
  const navigate = useNavigate();
  const { shown } = useZones();
  const { data } = summary;
  return (
    <Page
      title="Overview"
      wide
      {...(data && {
        lead: `${data.test ? 'Test accounts' : 'Customers'}, as of ${formatExact(data.at, shown)}.`,
        actions: (
          <>
            <Checkbox
              label="Test accounts"
              checked={typeof test === 'boolean' ? test : data.test}
              onChange={({ currentTarget: { checked } }) =>
                void navigate({ to: '/', search: { test: checked } as never, replace: true })
              }
            />
            <NewCustomer />
          </>
        ),
      })}
    >
      <Loaded of={summary} rows={8}>
        {(view) => (
          <>
            <ToDo of={view} />
            {view.money.map((one) => (
              <MoneyFigures key={one.currency} money={one} test={view.test} />
            ))}
            <CreditFigures of={view} />
            <div className={css.columns}>
              {view.money.map((one) => (
                <Largest key={one.currency} of={one} />
              ))}
              <Ageing of={view.money} />
              <Changes of={view.changes} />
              <Refusals of={view.refusals} />
              <ServiceFacts />
            </div>
          </>
        )}
      </Loaded>
    </Page>
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

function Ageing({ of }: { readonly of: Summary['money'] }) {
  return (
    <Panel flush title="Receivables by age">
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
        <Empty title="No account changed its spending" />
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
      title="Refused calls, last 24 hours"
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

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import { BudgetBar } from '../budgets/budget-bar.js';
import { useAccount } from '../session.js';
import css from './overview.module.css';
import type { Account, Grant } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';
import { moment, number } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

export function BudgetBars() {
  const budgets = useQuery(all(portal.listBudgets()));
  return (
    <Panel title="Budgets" aside={<Link to="/budgets">All</Link>}>
      <Loaded of={budgets}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No budgets">
              <Link to="/budgets">Set one</Link> to get an alert in time, or to stop in time.
            </Empty>
          ) : (
            <div className={css.bars}>
              {items.map((budget) => (
                <BudgetBar key={budget.id} budget={budget} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Where the balance lies, in the order in which it is drawn. */
export function Credits() {
  const { grants, plan, currency } = useAccount();
  const open = grants.filter(({ left }) => left > 0);
  return (
    <Panel flush title="Credits" aside="in the order in which they are drawn">
      {open.length === 0 ? (
        <NoCredits plan={plan} currency={currency} />
      ) : (
        <DataTable label="Credits" columns={COLUMNS} rows={open} isFixed />
      )}
    </Panel>
  );
}

function NoCredits({ plan, currency }: Pick<Account, 'plan' | 'currency'>) {
  if (plan === null) {
    return (
      <Empty title="No credits are left">
        <Link to="/credits">Get credits</Link>: calls are refused until then.
      </Empty>
    );
  }
  return (
    <Empty title={`All ${formatCredits(plan.included_credits)} of the month are used`}>
      Further calls are billed at {formatMoney(plan.price_per_1000_credits, currency)} per 1,000
      credits, before tax.
    </Empty>
  );
}

const COLUMNS: Columns<Grant> = [
  {
    label: 'Kind',
    sort: ({ kind }) => kind,
    cell: ({ kind }) => <Pill tone={kind === 'purchased' ? 'accent' : 'plain'}>{kind}</Pill>,
  },
  number('Left', ({ left }) => left),
  number('Of', ({ credits }) => credits),
  moment('Expires', (grant) => grant.expires_at, 'never'),
];

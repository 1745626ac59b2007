import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../format/credits.js';
import type { Grant } from '../../rest/answers.js';
import { budgetsQuery } from '../../rest/queries.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { numberCell } from '../../ui/table.js';
import { BudgetBar } from '../budgets/budget-bar.js';
import { useAccount } from '../session.js';
import css from './overview.module.css';

export function BudgetBars() {
  const budgets = useQuery(budgetsQuery);
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
  const { grants } = useAccount();
  const open = grants.filter(({ left }) => left > 0);
  return (
    <Panel flush title="Credits" aside="in the order in which they are drawn">
      {open.length === 0 ? (
        <Empty title="No credits are left">Ask whoever runs the service for more.</Empty>
      ) : (
        <SortedTable label="Credits" columns={COLUMNS} rows={open}>
          {(grant) => (
            <tr key={grant.id}>
              <td>
                <Pill tone={grant.kind === 'purchased' ? 'accent' : 'plain'}>{grant.kind}</Pill>
              </td>
              <td className={numberCell}>{formatNumber(grant.left)}</td>
              <td className={numberCell}>{formatNumber(grant.credits)}</td>
              <td>{grant.expires_at === null ? 'never' : <Moment at={grant.expires_at} />}</td>
            </tr>
          )}
        </SortedTable>
      )}
    </Panel>
  );
}

const COLUMNS: readonly SortedColumn<Grant>[] = [
  { name: 'kind', label: 'Kind', value: ({ kind }) => kind },
  { name: 'left', label: 'Left', isNumber: true, value: ({ left }) => left },
  { name: 'credits', label: 'Of', isNumber: true, value: ({ credits }) => credits },
  { name: 'expires_at', label: 'Expires', value: ({ expires_at: at }) => at },
];

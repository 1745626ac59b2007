import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Table, mainCell, numberCell } from '../../ui/table.js';
import { AccountLink } from '../accounts/account-link.js';
import type { Summary } from '../../rest/answers.js';
import { all } from '../../rest/reads.js';
import { admin } from '../admin.js';
import { tasksOf } from './tasks.js';

/** No live event reports an order to the console. */
const ORDERS_MS = 15_000;

/** The tasks that wait for an operator. */
export function ToDo({ of }: { readonly of: Summary }) {
  const orders = useQuery({
    ...all(admin.listOpenOrders({ test: of.test })),
    refetchInterval: ORDERS_MS,
  });
  const tasks = tasksOf(of, orders.data ?? []);
  return (
    <Panel
      flush
      title="To do"
      aside={tasks.length === 0 ? null : formatCount(tasks.length, 'item')}
    >
      {tasks.length === 0 ? (
        <Empty title="Nothing to do">
          No order or dispute is open, no invoice is held or overdue, and no call was refused.
        </Empty>
      ) : (
        <Table
          label="To do"
          head={
            <tr>
              <th scope="col" className={mainCell}>
                What
              </th>
              <th scope="col" className={numberCell}>
                Count
              </th>
              <th scope="col" className={numberCell}>
                Amount
              </th>
            </tr>
          }
        >
          {tasks.map(({ name, to, search, count, amounts, accounts }) => (
            <tr key={name}>
              <td className={mainCell}>
                <Link to={to as string} search={search as never}>
                  {name}
                </Link>
                {accounts.map((one, n) => (
                  <span key={one.account_id}>
                    {n === 0 ? ': ' : ', '}
                    <AccountLink of={one} part="/credits" />
                  </span>
                ))}
              </td>
              <td className={numberCell}>{count}</td>
              <td className={numberCell}>
                {amounts.map(({ minor, currency }) => (
                  <div key={currency}>{formatMoney(minor, currency)}</div>
                ))}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

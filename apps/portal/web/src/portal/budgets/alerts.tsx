import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '@mantine/core';
import { formatNumber } from '../../format/credits.js';
import type { BudgetAlert } from '../../rest/answers.js';
import { alertsQuery } from '../../rest/queries.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { numberCell } from '../../ui/table.js';
import css from './budgets.module.css';

const SHOWN = 30;

/** Every threshold that was crossed, newest first, with the deliveries of its alert. */
export function Alerts() {
  const alerts = useQuery(alertsQuery);
  const [shown, setShown] = useState(SHOWN);
  return (
    <Panel flush title="Alerts" aside="newest first">
      <Loaded of={alerts}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No alerts">No budget has reached a threshold yet.</Empty>
          ) : (
            <>
              <SortedTable
                label="Alerts"
                columns={COLUMNS}
                rows={items.toReversed()}
                initial="-at"
                limit={shown}
              >
                {(alert) => (
                  <AlertRow
                    key={`${alert.budget_id} ${alert.period} ${alert.threshold}`}
                    alert={alert}
                  />
                )}
              </SortedTable>
              {items.length > shown && (
                <div className={css.more}>
                  <Button variant="default" onClick={() => setShown(shown + SHOWN * 3)}>
                    Older ones
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

const COLUMNS: readonly SortedColumn<BudgetAlert>[] = [
  { name: 'at', label: 'Time', value: ({ at }) => at },
  { name: 'threshold', label: 'Threshold', value: ({ threshold }) => threshold },
  { name: 'period', label: 'Period', value: ({ period }) => period },
  { name: 'spent', label: 'Spent', isNumber: true, value: ({ spent_credits: spent }) => spent },
  { name: 'limit', label: 'Limit', isNumber: true, value: ({ limit_credits: limit }) => limit },
  { name: 'call', label: 'Crossed by', value: ({ call_id: call }) => call },
  { name: 'deliveries', label: 'Deliveries', value: ({ deliveries }) => deliveries.length },
];

function AlertRow({ alert }: { readonly alert: BudgetAlert }) {
  return (
    <tr>
      <td>
        <Moment at={alert.at} />
      </td>
      <td>
        <Pill tone={alert.threshold >= 100 ? 'bad' : 'warn'}>{alert.threshold} %</Pill>
      </td>
      <td>{alert.period}</td>
      <td className={numberCell}>{formatNumber(alert.spent_credits)}</td>
      <td className={numberCell}>{formatNumber(alert.limit_credits)}</td>
      <td>
        {alert.call_id === null ? (
          'setting the budget'
        ) : (
          <Link to="/calls" search={{ call: alert.call_id }}>
            a call
          </Link>
        )}
      </td>
      <td>
        <Deliveries alert={alert} />
      </td>
    </tr>
  );
}

function Deliveries({ alert: { deliveries } }: { readonly alert: BudgetAlert }) {
  if (deliveries.length === 0) return 'nobody';
  return (
    <span className={css.deliveries}>
      {deliveries.map((delivery) => {
        const last = delivery.attempts.at(-1);
        const isDelivered = delivery.status === 'delivered';
        const what = delivery.channel === 'email' ? (delivery.email ?? 'e-mail') : 'webhook';
        return (
          <span key={delivery.id} title={last?.detail ?? delivery.status}>
            <Pill tone={isDelivered ? 'good' : 'warn'}>
              {what}: {delivery.status}
            </Pill>
          </span>
        );
      })}
    </span>
  );
}

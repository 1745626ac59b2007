import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '@mantine/core';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Pill } from '../../ui/pill.js';
import css from './budgets.module.css';
import type { Alert } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';
import { moment, number, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

const SHOWN = 30;

/** Every threshold that was crossed, newest first, with the deliveries of its alert. */
export function Alerts() {
  const alerts = useQuery(all(portal.listAlerts()));
  const [shown, setShown] = useState(SHOWN);
  return (
    <Panel flush title="Alerts" aside="newest first">
      <Loaded of={alerts}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No alerts">No budget has reached a threshold yet.</Empty>
          ) : (
            <>
              <DataTable
                label="Alerts"
                columns={COLUMNS}
                rows={items.toReversed()}
                keyOf={(alert) => `${alert.budget_id} ${alert.period} ${alert.threshold}`}
                initial="-Time"
                limit={shown}
              />
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

const COLUMNS: Columns<Alert> = [
  moment('Time', ({ at }) => at),
  {
    label: 'Threshold',
    sort: ({ threshold }) => threshold,
    cell: ({ threshold }) => <Pill tone={threshold >= 100 ? 'bad' : 'warn'}>{threshold} %</Pill>,
  },
  text('Period', ({ period }) => period),
  number('Spent', (alert) => alert.spent_credits),
  number('Limit', (alert) => alert.limit_credits),
  {
    label: 'Crossed by',
    sort: (alert) => alert.call_id,
    cell: ({ call_id: call }) =>
      call === null ? (
        'setting the budget'
      ) : (
        <Link to="/calls" search={{ call }}>
          a call
        </Link>
      ),
  },
  {
    label: 'Deliveries',
    sort: ({ deliveries }) => deliveries.length,
    cell: (alert) => <Deliveries alert={alert} />,
  },
];

function Deliveries({ alert: { deliveries } }: { readonly alert: Alert }) {
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

import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { useCanManage } from '../session.js';
import { Alerts } from './alerts.js';
import { BudgetBar } from './budget-bar.js';
import { BudgetForm } from './budget-form.js';
import css from './budgets.module.css';
import type { BudgetDetails } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';
import { send } from '../../rest/request.js';

/** Budgets of the account and their alerts. */
export function BudgetsPage() {
  const budgets = useQuery(all(portal.listBudgets()));
  const canManage = useCanManage();
  const [edited, setEdited] = useState<BudgetDetails | 'new' | null>(null);
  const add = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setEdited('new')}>
      New budget
    </Button>
  );
  return (
    <Page
      title="Budgets & alerts"
      lead="A budget alerts you before spending reaches a limit. One that blocks refuses calls that would exceed it."
      actions={canManage ? add : undefined}
    >
      <Panel title="Budgets">
        <Loaded of={budgets}>
          {(items) =>
            items.length === 0 ? (
              <Empty title="No budgets yet">
                Calls are limited by the balance alone.{' '}
                {canManage && 'Set a budget to get an alert in time.'}
              </Empty>
            ) : (
              <div className={css.list}>
                {items.map((budget) => (
                  <div key={budget.id} className={css.item}>
                    <BudgetBar budget={budget} />
                    {canManage && (
                      <BudgetActions budget={budget} onEdit={() => setEdited(budget)} />
                    )}
                  </div>
                ))}
              </div>
            )
          }
        </Loaded>
      </Panel>
      <Alerts />
      {edited !== null && (
        <BudgetForm budget={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </Page>
  );
}

interface BudgetActionsProps {
  readonly budget: BudgetDetails;
  readonly onEdit: () => void;
}

function BudgetActions({ budget, onEdit }: BudgetActionsProps) {
  const client = useQueryClient();
  const remove = async (reason: string | undefined) => {
    await send(portal.removeBudget({ budget_id: budget.id }), { ...(reason && { reason }) });
    await client.invalidateQueries({ queryKey: ['budgets'] });
  };
  return (
    <div className={css.actions}>
      <Button size="compact-sm" variant="default" onClick={onEdit}>
        Change
      </Button>
      <ConfirmButton
        label="Remove"
        title="Remove this budget?"
        confirm="Remove it"
        onConfirm={remove}
      >
        It sends no more alerts and refuses no more calls. Spent credits do not change.
      </ConfirmButton>
    </div>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { formatNumber } from '../../format/credits.js';
import type { Budget, Account } from '../../rest/answers.js';
import { Meter } from '../../ui/meter.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { Pill } from '../../ui/pill.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import { ActButton } from '../form/act-button.js';
import { valuesOf } from '../../form/fields.js';
import { FormButton } from '../form/form-button.js';
import { budgetsQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { BUDGET } from './account-fields.js';

/** Budgets of an account, with their alerts. */
export function BudgetsPart({ account }: { readonly account: Account }) {
  const budgets = useInfiniteQuery(budgetsQuery(account.id));
  const change = useAdminChange();
  const add = account.status !== 'closed' && (
    <FormButton
      label="New budget"
      title="New budget"
      size="compact-sm"
      variant="filled"
      fields={BUDGET}
      initial={{ period: 'month', action: 'alert', thresholds: ['50', '80', '100'] }}
      submit="Set the budget"
      onSubmit={(body) => change('POST', `/accounts/${account.id}/budgets`, body)}
    />
  );
  return (
    <Panel flush title="Budgets" aside={add}>
      <Paged of={budgets} empty={<Empty title="No budgets">Nothing limits its spending.</Empty>}>
        {(items) => (
          <SortedTable label="Budgets" columns={COLUMNS} rows={items}>
            {(budget) => <BudgetRow key={budget.id} budget={budget} accountId={account.id} />}
          </SortedTable>
        )}
      </Paged>
    </Panel>
  );
}

const COLUMNS: readonly SortedColumn<Budget>[] = [
  { name: 'period', label: 'Period', value: (budget) => budget.running_period },
  { name: 'spent', label: 'Spent', value: (one) => one.spent_credits / one.limit_credits },
  { name: 'of', label: 'Of', isNumber: true, value: (budget) => budget.limit_credits },
  { name: 'left', label: 'Left', isNumber: true, value: (budget) => budget.left_credits },
  { name: 'action', label: 'At the limit', value: ({ action }) => action },
  { name: 'resets', label: 'Resets', value: (budget) => budget.resets_at },
  { name: '', label: 'Actions' },
];

interface BudgetRowProps {
  readonly budget: Budget;
  readonly accountId: string;
}

function BudgetRow({ budget, accountId }: BudgetRowProps) {
  const { id, period, limit_credits: limit, spent_credits: spent, thresholds } = budget;
  const path = `/accounts/${accountId}/budgets/${id}`;
  const change = useAdminChange();
  return (
    <tr>
      <td>
        {budget.running_period}
        {budget.api_key_id !== null && ', one key'}
      </td>
      <td className={css.cell} data-wide>
        <Meter
          label={`Spent of the ${period}’s budget`}
          value={spent}
          max={limit}
          marks={thresholds}
          tone={spent >= limit ? 'bad' : budget.crossed_thresholds.length > 0 ? 'warn' : 'accent'}
        />
      </td>
      <td className={numberCell}>
        {formatNumber(spent)} of {formatNumber(limit)}
      </td>
      <td className={numberCell}>{formatNumber(budget.left_credits)}</td>
      <td>
        {budget.action === 'block' ? 'refuse' : 'alert'}{' '}
        {budget.blocked && <Pill tone="bad">blocking</Pill>}
      </td>
      <td>
        <Moment at={budget.resets_at} dateOnly />
      </td>
      <td>
        <div className={css.actions}>
          <FormButton
            label="Change"
            title="Change the budget"
            size="compact-sm"
            fields={BUDGET}
            initial={valuesOf(BUDGET, budget)}
            submit="Save"
            onSubmit={(body) => change('PUT', path, { ...body, api_key_id: budget.api_key_id })}
          />
          <ActButton
            label="Remove"
            title="Remove this budget?"
            confirm="Remove it"
            method="DELETE"
            path={path}
          >
            It emits no more alerts and refuses no more calls.
          </ActButton>
        </div>
      </td>
    </tr>
  );
}

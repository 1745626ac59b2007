import { formatNumber } from '../../format/credits.js';
import { Meter } from '../../ui/meter.js';
import { Pill } from '../../ui/pill.js';
import css from '../console.module.css';
import { ActButton } from '../../form/act-button.js';
import { valuesOf } from '../../form/fields.js';
import { FormButton } from '../../form/form-button.js';
import { BUDGET } from './account-fields.js';
import { admin } from '../admin.js';
import type { Account, BudgetDetails } from '../../rest/answers.js';
import { useChange } from '../../rest/use-change.js';
import { type Columns } from '../../ui/data-table.js';
import { ListPanel } from '../../ui/list-panel.js';
import { actions, day, number, text } from '../../ui/columns.js';
import { ChangeButton } from '../../form/change-button.js';

/** Budgets of an account, with their alerts. */
export function BudgetsPart({ account }: { readonly account: Account }) {
  const add = account.status !== 'closed' && (
    <ChangeButton
      label="New budget"
      title="New budget"
      size="compact-sm"
      variant="filled"
      fields={BUDGET}
      initial={{ period: 'month', action: 'alert', thresholds: ['50', '80', '100'] }}
      submit="Set the budget"
      of={admin.createBudget({ account_id: account.id })}
    />
  );
  return (
    <ListPanel
      title="Budgets"
      aside={add}
      of={admin.listBudgets({ account_id: account.id })}
      columns={columnsOf(account.id)}
      empty={['No budgets', 'Nothing limits its spending.']}
    />
  );
}

function columnsOf(accountId: string): Columns<BudgetDetails> {
  return [
    {
      ...text('Period', (budget) => budget.running_period),
      cell: ({ running_period: period, api_key_id: key }) =>
        key === null ? period : `${period}, one key`,
    },
    {
      label: 'Spent',
      sort: (budget) => budget.spent_credits / budget.limit_credits,
      cell: (budget) => <Spent of={budget} />,
    },
    {
      ...number('Of', (budget) => budget.limit_credits),
      cell: ({ spent_credits: spent, limit_credits: limit }) =>
        `${formatNumber(spent)} of ${formatNumber(limit)}`,
    },
    number('Left', (budget) => budget.left_credits),
    {
      label: 'At the limit',
      sort: ({ action }) => action,
      cell: ({ action, blocked }) => (
        <>
          {action === 'block' ? 'refuse' : 'alert'} {blocked && <Pill tone="bad">blocking</Pill>}
        </>
      ),
    },
    day('Resets', (budget) => budget.resets_at),
    actions((budget) => <BudgetActions budget={budget} accountId={accountId} />),
  ];
}

function Spent({ of: budget }: { readonly of: BudgetDetails }) {
  const { period, limit_credits: limit, spent_credits: spent, thresholds } = budget;
  return (
    <div className={css.cell} data-wide>
      <Meter
        label={`Spent of the ${period}’s budget`}
        value={spent}
        max={limit}
        marks={thresholds}
        tone={spent >= limit ? 'bad' : budget.crossed_thresholds.length > 0 ? 'warn' : 'accent'}
      />
    </div>
  );
}

interface BudgetActionsProps {
  readonly budget: BudgetDetails;
  readonly accountId: string;
}

function BudgetActions({ budget, accountId }: BudgetActionsProps) {
  const of = { account_id: accountId, budget_id: budget.id };
  const change = useChange();
  return (
    <div className={css.actions}>
      <FormButton
        label="Change"
        title="Change the budget"
        size="compact-sm"
        fields={BUDGET}
        initial={valuesOf(BUDGET, budget)}
        submit="Save"
        onSubmit={(body) =>
          change(admin.replaceBudget(of), { ...body, api_key_id: budget.api_key_id })
        }
      />
      <ActButton
        label="Remove"
        title="Remove this budget?"
        confirm="Remove it"
        of={admin.removeBudget(of)}
      >
        It emits no more alerts and refuses no more calls.
      </ActButton>
    </div>
  );
}

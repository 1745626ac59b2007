import { formatNumber } from '../../format/credits.js';
import { formatDistance } from '../../format/moments.js';
import { Meter } from '../../ui/meter.js';
import { Pill } from '../../ui/pill.js';
import { useAccount } from '../session.js';
import { useKeyLabel } from '../use-key-label.js';
import css from './budgets.module.css';
import type { BudgetDetails } from '../../rest/answers.js';

export function budgetName({ period }: Pick<BudgetDetails, 'period'>): string {
  return period === 'month' ? 'Monthly budget' : 'Weekly budget';
}

/** How much of a budget is spent in its running period. */
export function BudgetBar({ budget }: { readonly budget: BudgetDetails }) {
  const { spent_credits: spent, limit_credits: limit, thresholds } = budget;
  const percent = Math.floor((spent / limit) * 100);
  const isCrossed = budget.crossed_thresholds.length > 0;
  const tone = budget.blocked || spent >= limit ? 'bad' : isCrossed ? 'warn' : 'accent';
  return (
    <div className={css.budget}>
      <div className={css.line}>
        <strong>{budgetName(budget)}</strong>
        {budget.api_key_id !== null && <KeyPill id={budget.api_key_id} />}
        <Pill tone={budget.blocked ? 'bad' : 'plain'}>
          {budget.blocked ? 'blocking' : budget.action === 'block' ? 'blocks' : 'alerts'}
        </Pill>
        <span className={css.percent}>{formatNumber(percent)} %</span>
      </div>
      <Meter label={budgetName(budget)} value={spent} max={limit} marks={thresholds} tone={tone} />
      <p className={css.note}>
        {formatNumber(spent)} of {formatNumber(limit)} credits in {budget.running_period}
        <Outlook budget={budget} />
      </p>
    </div>
  );
}

function KeyPill({ id }: { readonly id: string }) {
  return <Pill>{useKeyLabel(id)}</Pill>;
}

function Outlook({ budget }: { readonly budget: BudgetDetails }) {
  const now = Date.parse(useAccount().now);
  const resets = ` · resets ${formatDistance(budget.resets_at, now)}`;
  if (budget.exhausted_at === null || budget.left_credits <= 0) return resets;
  return `${resets} · used up ${formatDistance(budget.exhausted_at, now)} at this pace`;
}

import { Link } from '@tanstack/react-router';
import type { Plan } from '#account/terms.js';
import { taxWords } from '../../account/tax-words.js';
import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { Panel } from '../../ui/page.js';
import { useAccount } from '../session.js';
import css from './prices.module.css';

/** The plan as a sentence, and the one from the next month on. */
export function PlanPanel() {
  const { plan, plan_next_month: next, currency } = useAccount();
  const isOther = JSON.stringify(plan) !== JSON.stringify(next);
  return (
    <Panel title="Plan">
      <PlanWords plan={plan} currency={currency} />
      {isOther && (
        <p className={css.later}>
          From the next month on: <PlanWords plan={next} currency={currency} />
        </p>
      )}
    </Panel>
  );
}

interface PlanWordsProps {
  readonly plan: Plan | null;
  readonly currency: string;
}

function PlanWords({ plan, currency }: PlanWordsProps) {
  if (plan === null) {
    return (
      <span>
        No plan: credits are bought beforehand. <Link to="/credits">Get credits</Link>
      </span>
    );
  }
  const { monthly_fee: fee, included_credits: included, price_per_1000_credits: beyond } = plan;
  return (
    <span>
      {formatMoney(fee, currency)} a month includes {formatCredits(included)}; each 1,000 beyond
      cost {formatMoney(beyond, currency)}. Both before tax: {taxWords(plan.tax)}.
    </span>
  );
}

import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatCredits, formatNumber } from '../../format/credits.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import type { TriedBudget, TryBudget } from '../../rest/answers.js';
import { triedBudgetQuery } from '../../rest/queries.js';

const TYPING_MS = 400;

/** Spending by now, and the calls that a limit would have refused if it had blocked. */
export function BudgetTrial({ limit }: { readonly limit: TryBudget }) {
  const [asked] = useDebouncedValue(limit, TYPING_MS);
  const { data } = useQuery(triedBudgetQuery(asked));
  if (data === undefined) return null;
  const isRefusing = data.periods.some(({ refused_calls: refused }) => refused > 0);
  return (
    <Notice
      tone={isRefusing ? 'warn' : 'info'}
      title={`${formatCredits(data.spent_credits)} spent by now in ${data.periods[0]?.period}`}
    >
      <ul>
        {data.periods.map((period) => (
          <li key={period.period}>
            <Tried of={period} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Tried({ of }: { readonly of: TriedBudget['periods'][0] }) {
  const calls = `${of.is_whole ? '' : 'the first '}${formatCount(of.calls, 'call')}`;
  if (of.refused_calls === 0 || of.first_refused_at === null) {
    return `${of.period}: this limit would have refused none of ${calls}.`;
  }
  return (
    <>
      {of.period}: this limit would have refused {formatNumber(of.refused_calls)} of {calls} (
      {formatCredits(of.refused_credits)}), the first at <Moment at={of.first_refused_at} />.
    </>
  );
}

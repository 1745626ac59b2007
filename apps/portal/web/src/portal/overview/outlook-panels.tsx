import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formatCount, formatCredits, formatShare } from '../../format/credits.js';
import { addDays, DAYS_A_WEEK, tuesdayOf } from '../../format/days.js';
import type { LimitLine } from '../../ui/charts/bars.js';
import { Bars, CHART_HEIGHT } from '../../ui/charts/bars.js';
import { Loaded } from '../../ui/loaded.js';
import { useAccount } from '../session.js';
import type { MonthDay, WindowBar } from './outlook-bars.js';
import css from './overview.module.css';
import type { Usage } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import type { Whole } from '../../rest/reads.js';
import { all } from '../../rest/reads.js';

/** Limits of the whole account in a period, as lines. */
function useLines(period: 'month' | 'window'): readonly LimitLine[] {
  const { plan } = useAccount();
  const budgets = useQuery(all(portal.listBudgets())).data ?? [];
  const included = period === 'month' ? (plan?.included_credits ?? 0) : 0;
  return [
    ...(included > 0 ? [{ value: included, label: 'included', color: 'var(--good)' }] : []),
    ...budgets
      .filter((budget) => budget.period === period && budget.api_key_id === null)
      .map(({ limit_credits: value, action }) => ({
        value,
        label: action === 'block' ? 'budget (blocks)' : 'budget',
        color: action === 'block' ? 'var(--bad)' : 'var(--warn)',
      })),
  ];
}

interface MonthChartProps {
  readonly query: UseQueryResult<Whole<Usage>>;
  readonly month: readonly MonthDay[] | undefined;
}

/** The month added up day by day, to its expected end, below budgets and included credits. */
export function MonthChart({ query, month = [] }: MonthChartProps) {
  const navigate = useNavigate();
  const lines = useLines('month');
  const open = (row: number): void => {
    const day = month[row]?.day;
    if (day !== undefined)
      void navigate({ to: '/calls', search: { from: day, to: addDays(day, 1), order: 'credits' } });
  };
  const last = month.at(-1);
  return (
    <Loaded of={query} height={CHART_HEIGHT}>
      {() => (
        <Bars
          label={`Credits of the month, added up: ${formatCredits((last?.spent ?? 0) + (last?.expected ?? 0))} expected at its end${lines.map(({ label, value }) => `; ${label} ${formatCredits(value)}`).join('')}`}
          rows={month.map(({ name, spent, expected }) => ({ name, spent, expected }))}
          dataKey="name"
          stacked
          lines={lines}
          series={[
            { name: 'spent', label: 'spent by then', color: 'var(--base)' },
            {
              name: 'expected',
              label: 'expected',
              color: 'var(--base)',
              isAhead: true,
            },
          ]}
          onBar={open}
        />
      )}
    </Loaded>
  );
}

interface WeeksChartProps {
  readonly query: UseQueryResult<Whole<Usage>>;
  readonly windows: readonly WindowBar[] | undefined;
}

/** The last windows, the running one and the next, by their Tuesdays. */
export function WeeksChart({ query, windows = [] }: WeeksChartProps) {
  const navigate = useNavigate();
  const lines = useLines('window');
  const open = (row: number, kind: string): void => {
    const window = windows[row]?.window;
    if (window === undefined || (kind !== 'base' && kind !== 'repeat')) return;
    const from = tuesdayOf(window);
    void navigate({
      to: '/calls',
      search: { from, to: addDays(from, DAYS_A_WEEK), kind, order: 'credits' },
    });
  };
  const label = windows.map(
    ({ name, base, repeat, expected }) =>
      `${name} base ${base}, repeat ${repeat}, expected ${expected}`,
  );
  return (
    <Loaded of={query} height={CHART_HEIGHT}>
      {() => (
        <>
          <Bars
            label={`Credits by window: ${label.join('; ')}`}
            rows={windows.map(({ name, base, repeat, expected }) => ({
              name,
              base,
              repeat,
              expected,
            }))}
            dataKey="name"
            stacked
            lines={lines}
            series={[
              { name: 'base', label: 'base', color: 'var(--base)' },
              { name: 'repeat', label: 'repeat', color: 'var(--repeat)' },
              {
                name: 'expected',
                label: 'expected',
                color: 'var(--base)',
                isAhead: true,
              },
            ]}
            onBar={open}
          />
          <KindsLine windows={windows} />
        </>
      )}
    </Loaded>
  );
}

/** Base against repeat in the running window, in a line. */
function KindsLine({ windows }: { readonly windows: readonly WindowBar[] }) {
  const { window } = useAccount();
  const running = windows.find((one) => one.window === window);
  const spent = running === undefined ? 0 : running.base + running.repeat;
  if (running === undefined || spent === 0) {
    return <p className={css.note}>No calls in this window yet.</p>;
  }
  return (
    <p className={css.note}>
      This window is {formatShare(running.base / spent)} base;{' '}
      {formatCount(running.repeats, 'repeat costs', 'repeats cost')} {formatCredits(running.repeat)}
      .
    </p>
  );
}

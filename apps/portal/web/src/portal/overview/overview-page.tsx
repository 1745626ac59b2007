import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addDays, dayOf, windowDays } from '../../format/days.js';
import { useBillingZone } from '../../ui/zones.js';
import { Page, Panel } from '../../ui/page.js';
import { useAccount } from '../session.js';
import { Attention } from './attention-list.js';
import { BudgetBars, Credits } from './credit-panels.js';
import { Headline } from './headline.js';
import { monthBars, windowBars } from './outlook-bars.js';
import { MonthChart, WeeksChart } from './outlook-panels.js';
import { DaysChart, DearestUrls, LatestCalls } from './spend-panels.js';
import { aWeekBefore, spendByDay, spendByWindow } from './window-spend.js';
import css from './overview.module.css';
import { portal } from '../../rest/portal.js';
import { usageQuery } from '../../rest/queries.js';
import { one } from '../../rest/reads.js';

const WINDOWS_SHOWN = 8;

/** How it stands: what needs attention, what it costs, where it goes. */
export function OverviewPage() {
  const [view, setView] = useState<View>('month');
  const account = useAccount();
  const zone = useBillingZone();
  const days = windowDays(account.window_ends_at, zone);
  const [tuesday = ''] = days;
  const end = addDays(tuesday, 7);
  const today = dayOf(account.now, zone);
  const first = `${today.slice(0, 7)}-01`;
  const weekBefore = addDays(tuesday, -7);
  const byDay = useQuery(usageQuery(['day'], first < weekBefore ? first : weekBefore, end));
  const byWindow = useQuery(
    usageQuery(['window', 'kind'], addDays(tuesday, -7 * (WINDOWS_SHOWN - 1)), end),
  );
  const before = useQuery(usageQuery([], weekBefore, aWeekBefore(account.now)));
  const expected = useQuery(one(portal.getForecast())).data?.days ?? [];
  const spend = byDay.data && spendByDay(byDay.data.items, expected, days, today);
  const month = byDay.data && monthBars(byDay.data.items, expected, today);
  const windows = byWindow.data && spendByWindow(byWindow.data.items);
  return (
    <Page title="Overview" lead={account.name ?? undefined}>
      <Attention />
      <Headline
        before={before.data && (before.data.items[0]?.credits_used ?? 0)}
        month={month?.find(({ day }) => day === today)?.spent}
        week={spend?.reduce((sum, { credits }) => sum + credits, 0)}
      />
      <div className={css.columns}>
        <div className={`${css.column} settles`}>
          <Panel title="Spend" aside={<ViewSwitch view={view} onView={setView} />}>
            {view === 'month' && <MonthChart query={byDay} month={month} />}
            {view === 'days' && <DaysChart query={byDay} spend={spend} />}
            {view === 'weeks' && (
              <WeeksChart query={byWindow} windows={windows && windowBars(windows, expected)} />
            )}
          </Panel>
          <DearestUrls from={tuesday} />
          <LatestCalls />
        </div>
        <div className={`${css.column} settles`}>
          <BudgetBars />
          <Credits />
        </div>
      </div>
    </Page>
  );
}

const VIEWS = [
  { value: 'month', label: 'Month' },
  { value: 'days', label: 'Days' },
  { value: 'weeks', label: 'Weeks' },
] as const;
type View = (typeof VIEWS)[number]['value'];

interface ViewSwitchProps {
  readonly view: View;
  readonly onView: (view: View) => void;
}

/** The month added up, this week by day, or the last weeks. */
function ViewSwitch({ view, onView }: ViewSwitchProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Spend by"
      data={[...VIEWS]}
      value={view}
      onChange={(value) => onView(value as View)}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { addDays, dayOf, windowDays } from '../../format/days.js';
import { usageQuery } from '../../rest/queries.js';
import { useBillingZone } from '../../ui/zones.js';
import { Page } from '../../ui/page.js';
import { useAccount } from '../session.js';
import { Attention } from './attention-list.js';
import { BudgetBars, Credits } from './credit-panels.js';
import { Headline } from './headline.js';
import { DearestUrls, KindsPanel, LatestCalls, SpendPanel } from './spend-panels.js';
import { aWeekBefore, spendByDay, spendByWindow } from './window-spend.js';
import css from './overview.module.css';

const WINDOWS_SHOWN = 8;

/** How it stands: what needs attention, what is left, where it goes. */
export function OverviewPage() {
  const account = useAccount();
  const zone = useBillingZone();
  const days = windowDays(account.window_ends_at, zone);
  const [tuesday = ''] = days;
  const end = addDays(tuesday, 7);
  const byDay = useQuery(usageQuery(['day'], addDays(tuesday, -7), end));
  const byWindow = useQuery(
    usageQuery(['window', 'kind'], addDays(tuesday, -7 * (WINDOWS_SHOWN - 1)), end),
  );
  const before = useQuery(usageQuery([], addDays(tuesday, -7), aWeekBefore(account.now)));
  const spend = byDay.data && spendByDay(byDay.data.items, days, dayOf(account.now, zone));
  const windows = byWindow.data && spendByWindow(byWindow.data.items);
  return (
    <Page title="Overview" lead={account.name ?? undefined}>
      <Attention />
      <Headline
        before={before.data && (before.data.items[0]?.credits_used ?? 0)}
        windows={windows}
      />
      <div className={css.columns}>
        <div className={css.column}>
          <SpendPanel query={byDay} spend={spend} />
          <DearestUrls from={tuesday} />
          <LatestCalls />
        </div>
        <div className={css.column}>
          <BudgetBars />
          <KindsPanel query={byWindow} windows={windows} />
          <Credits />
        </div>
      </div>
    </Page>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { tuesdayOf } from '../../format/days.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty, Notice } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { useAccount } from '../session.js';
import { NextTuesday } from './next-tuesday.js';
import { Strip, StripLegend } from './strip.js';
import { stripOf, weekSums, windowsUpTo } from './window-strip.js';
import { calledWindowsQuery } from '../../rest/queries.js';

const WINDOWS_SHOWN = 10;

/** Which URLs were paid in which week, how often they were repeated, and what comes next. */
export function WeeksPage() {
  const { window } = useAccount();
  const labels = useMemo(() => windowsUpTo(window, WINDOWS_SHOWN), [window]);
  const from = tuesdayOf(labels[0] ?? window);
  const called = useQuery(calledWindowsQuery(labels.slice(0, -1), window, from));
  const sums = useMemo(() => weekSums(called.data?.sums ?? []), [called.data]);
  const rows = useMemo(
    () => called.data && stripOf(called.data.items, called.data.sums),
    [called.data],
  );
  return (
    <Page
      wide
      title="Weeks"
      lead="The first call of a URL in a week (Tuesday to Monday) pays its base; every later one is a repeat."
    >
      <NextTuesday />
      {called.data?.isWhole === false && (
        <Notice tone="warn" title="Not all of it is shown">
          Of each week the 1,000 URLs that cost most; a dot may stand for one that cost less.
        </Notice>
      )}
      <Panel flush title="URLs by week" aside={<StripLegend />}>
        <Loaded of={called} height={480}>
          {() =>
            rows === undefined || rows.length === 0 ? (
              <Empty title="No calls in these weeks">What is called appears here.</Empty>
            ) : (
              <Strip labels={labels} rows={rows} running={window} sums={sums} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

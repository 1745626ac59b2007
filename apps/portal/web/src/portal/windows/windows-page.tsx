import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { addDays, tuesdayOf } from '../../format/days.js';
import { usageQuery } from '../../rest/queries.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { useAccount } from '../session.js';
import { NotWhole } from '../usage/not-whole.js';
import { NextTuesday } from './next-tuesday.js';
import { Strip, StripLegend } from './strip.js';
import { stripOf, windowsUpTo } from './window-strip.js';

const WINDOWS_SHOWN = 10;

/** Which URLs were paid in which week, how often they were repeated, and what comes next. */
export function WindowsPage() {
  const { window } = useAccount();
  const labels = useMemo(() => windowsUpTo(window, WINDOWS_SHOWN), [window]);
  const from = tuesdayOf(labels[0] ?? window);
  const end = addDays(tuesdayOf(window), 7);
  const usage = useQuery(usageQuery(['window', 'key', 'kind'], from, end));
  const rows = useMemo(() => usage.data && stripOf(usage.data.items), [usage.data]);
  return (
    <Page
      wide
      title="Windows"
      lead="The first call of a URL in a week (Tuesday to Monday) pays its base; every later one is a repeat."
    >
      <NextTuesday />
      {usage.data?.isWhole === false && <NotWhole />}
      <Panel flush title="URLs by window" aside={<StripLegend />}>
        <Loaded of={usage} rows={10}>
          {() =>
            rows === undefined || rows.length === 0 ? (
              <Empty title="No calls in these weeks">What is called appears here.</Empty>
            ) : (
              <Strip labels={labels} rows={rows} running={window} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

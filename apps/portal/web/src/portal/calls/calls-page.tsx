import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CallFilters } from '../../account/calls/call-filters.js';
import { CallList } from '../../account/calls/call-list.js';
import {
  filterOf,
  inOrder,
  readCallsSearch,
  timeOrder,
  withMoments,
  type CallsSearch,
} from '../../account/calls/calls-search.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Page } from '../../ui/page.js';
import { useBillingZone } from '../../ui/zones.js';
import { CallDrawer } from './call-drawer.js';
import { CallHeads, CallRow, CallSum } from './call-row.js';
import css from '../../account/calls/calls.module.css';
import { portal } from '../../rest/portal.js';
import { callsQuery, callSumQuery, dearestCallsQuery, SORTED_MAX } from '../../rest/queries.js';
import { formatNumber } from '../../format/credits.js';
import { Notice } from '../../ui/notice.js';
import { SortHead } from '../../ui/sort-heads.js';
import { all } from '../../rest/reads.js';

const route = getRouteApi('/calls');
const COLUMNS = 7;

/** Every call, as they come in. */
export function CallsPage() {
  const { call: explained = null, ...listed } = readCallsSearch(route.useSearch());
  const navigate = route.useNavigate();
  const filter = filterOf(listed);
  const { order } = listed;
  const zone = useBillingZone();
  const moments = withMoments(filter, zone);
  const isDearest = order === 'credits';
  const inTime = useInfiniteQuery({
    ...callsQuery({ ...moments, ...timeOrder(listed) }),
    enabled: !isDearest,
  });
  const dearest = useInfiniteQuery({ ...dearestCallsQuery(moments), enabled: isDearest });
  const sum = useQuery(callSumQuery(moments)).data;
  const turn = (next: 'asc' | 'credits') => show(inOrder(listed, next), true);
  const keys = useQuery(all(portal.listApiKeys())).data ?? [];
  const show = (next: CallsSearch, replace = false) => void navigate({ search: next, replace });
  const open = (call: string) => show({ ...listed, call });
  return (
    <Page
      wide
      title="Calls"
      lead="Every metered call. A row explains its price."
      actions={<DownloadButton of={portal.listCalls({ ...filter })} file="calls.csv" />}
    >
      <CallFilters
        filter={filter}
        apiKeys={keys}
        onChange={(changed) => show({ ...changed, ...(order && { order }) }, true)}
      />
      {isDearest && (sum?.calls ?? 0) > SORTED_MAX && (
        <Notice tone="warn" title={`Only the newest ${formatNumber(SORTED_MAX)} calls are sorted`}>
          Choose fewer days, or a filter. The sum is that of all calls.
        </Notice>
      )}
      <div className={css.panel}>
        <CallList
          of={isDearest ? dearest : inTime}
          order={order}
          isFiltered={Object.keys(filter).length > 0}
          columns={{
            count: COLUMNS,
            head: (
              <CallHeads
                time={
                  <SortHead
                    label="Time"
                    {...(!isDearest && { order: order === 'asc' ? 'ascending' : 'descending' })}
                    onSort={() => (isDearest ? turn('credits') : turn('asc'))}
                  />
                }
                credits={
                  <SortHead
                    label="Credits"
                    isNumber
                    {...(isDearest && { order: 'descending' })}
                    onSort={() => turn('credits')}
                  />
                }
              />
            ),
            foot: <CallSum filter={moments} />,
            row: (call, row) => <CallRow call={call} row={row} onOpen={open} />,
          }}
        />
      </div>
      <CallDrawer callId={explained} onClose={() => show(listed)} />
    </Page>
  );
}

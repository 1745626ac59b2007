import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CallFilters } from '../../account/calls/call-filters.js';
import { CallList } from '../../account/calls/call-list.js';
import { TimeHead } from '../../account/calls/call-cells.js';
import {
  filterOf,
  readCallsSearch,
  turnedRound,
  withMoments,
  type CallsSearch,
} from '../../account/calls/calls-search.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Page } from '../../ui/page.js';
import { useBillingZone } from '../../ui/zones.js';
import { CallDrawer } from './call-drawer.js';
import { CallHeads, CallRow } from './call-row.js';
import css from '../../account/calls/calls.module.css';
import { portal } from '../../rest/portal.js';
import { callsQuery } from '../../rest/queries.js';
import { all } from '../../rest/reads.js';

const route = getRouteApi('/calls');
const COLUMNS = 7;

/** Every call, as they come in. */
export function CallsPage() {
  const { call: explained = null, ...listed } = readCallsSearch(route.useSearch());
  const navigate = route.useNavigate();
  const filter = filterOf(listed);
  const { order } = listed;
  const calls = useInfiniteQuery(callsQuery(withMoments(listed, useBillingZone())));
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
      <div className={css.panel}>
        <CallList
          of={calls}
          order={order}
          isFiltered={Object.keys(filter).length > 0}
          columns={{
            count: COLUMNS,
            head: (
              <CallHeads
                time={
                  <TimeHead order={order ?? null} onSort={() => show(turnedRound(listed), true)} />
                }
              />
            ),
            row: (call, row) => <CallRow call={call} row={row} onOpen={open} />,
          }}
        />
      </div>
      <CallDrawer callId={explained} onClose={() => show(listed)} />
    </Page>
  );
}

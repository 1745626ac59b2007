import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CallFilters } from '../../account/calls/call-filters.js';
import { CallList } from '../../account/calls/call-list.js';
import { filterOf, withMoments, type CallsSearch } from '../../account/calls/calls-search.js';
import { apiKeysQuery, callsQuery, PORTAL } from '../../rest/queries.js';
import { query } from '../../rest/request.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Page } from '../../ui/page.js';
import { useBillingZone } from '../../ui/zones.js';
import { CallDrawer } from './call-drawer.js';
import { CALL_COLUMNS, CallRow } from './call-row.js';
import css from '../../account/calls/calls.module.css';

const route = getRouteApi('/calls');
const COLUMNS = 7;

/** Every call, newest first, as they come in. */
export function CallsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = filterOf(search);
  const calls = useInfiniteQuery(callsQuery(withMoments(filter, useBillingZone())));
  const keys = useQuery(apiKeysQuery).data ?? [];
  const show = (next: CallsSearch, replace = false) => void navigate({ search: next, replace });
  const open = (call: string) => show({ ...filter, call });
  return (
    <Page
      wide
      title="Calls"
      lead="Every metered call, newest first. A row explains its price."
      actions={<DownloadButton path={`${PORTAL}/calls${query({ ...filter })}`} file="calls.csv" />}
    >
      <CallFilters filter={filter} apiKeys={keys} onChange={(changed) => show(changed, true)} />
      <div className={css.panel}>
        <CallList
          of={calls}
          isFiltered={Object.keys(filter).length > 0}
          columns={{
            count: COLUMNS,
            head: CALL_COLUMNS,
            row: (call, row) => <CallRow call={call} row={row} onOpen={open} />,
          }}
        />
      </div>
      <CallDrawer callId={search.call ?? null} onClose={() => show(filter)} />
    </Page>
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { PORTAL } from '../../rest/queries.js';
import { query } from '../../rest/request.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Page } from '../../ui/page.js';
import { CallDrawer } from './call-drawer.js';
import { CallFilters } from './call-filters.js';
import { CallList } from './call-list.js';
import { filterOf, startOf, type CallsSearch } from './calls-search.js';
import { useBillingZone } from '../../ui/zones.js';
import css from './calls.module.css';

const route = getRouteApi('/calls');

/** Every call, newest first, as they come in. */
export function CallsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = filterOf(search);
  const zone = useBillingZone();
  const { from, to } = filter;
  const asked = {
    ...filter,
    ...(from !== undefined && { from: startOf(from, zone) }),
    ...(to !== undefined && { to: startOf(to, zone) }),
  };
  const show = (next: CallsSearch, replace = false) => void navigate({ search: next, replace });
  return (
    <Page
      wide
      title="Calls"
      lead="Every metered call, newest first. A row explains its price."
      actions={<DownloadButton path={`${PORTAL}/calls${query({ ...filter })}`} file="calls.csv" />}
    >
      <CallFilters filter={filter} onChange={(changed) => show(changed, true)} />
      <div className={css.panel}>
        <CallList filter={asked} onOpen={(call) => show({ ...filter, call })} />
      </div>
      <CallDrawer callId={search.call ?? null} onClose={() => show(filter)} />
    </Page>
  );
}

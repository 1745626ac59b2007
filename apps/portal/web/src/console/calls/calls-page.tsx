import { useSearch } from '@tanstack/react-router';
import { filterOf, readCallsSearch } from '../../account/calls/calls-search.js';
import { DownloadButton } from '../../ui/download-button.js';
import { admin } from '../admin.js';
import { Page } from '../../ui/page.js';
import { CallsView } from './calls-view.js';

/** Calls of all accounts, or of one. */
export function CallsPage() {
  const filter = filterOf(readCallsSearch(useSearch({ strict: false })));
  return (
    <Page
      wide
      title="Calls"
      lead="Metered calls of all accounts. A row explains its price."
      actions={<DownloadButton of={admin.listAllCalls({ ...filter })} file="calls.csv" />}
    >
      <CallsView accountId={null} />
    </Page>
  );
}

import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Loaded } from '../../ui/loaded.js';
import { CopyText } from '../../ui/copy-text.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { PaidData } from '../data/paid-data.js';
import { ResourceName } from '../resource-name.js';
import { useSession } from '../session.js';
import { ExplorerControls } from './explorer-controls.js';
import { QuoteTab } from './quote-tab.js';
import { explorerPath } from './explorer-search.js';
import type { Catalog } from '../../rest/answers.js';
import { catalogQuery } from '../../rest/queries.js';

const route = getRouteApi('/explorer');

/** Choose, see the price, pull, look. */
export function ExplorerPage() {
  const catalog = useQuery(catalogQuery);
  const { tab = 'one' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Explorer"
      lead="Choose what to look at. The price is shown before anything is charged."
      actions={
        <SegmentedControl
          aria-label="One resource, or prices of many"
          data={TABS}
          value={tab}
          onChange={(next) => void navigate({ search: next === 'quote' ? { tab: next } : {} })}
        />
      }
    >
      {tab === 'quote' ? (
        <QuoteTab />
      ) : (
        <Loaded of={catalog}>{(data) => <Chosen catalog={data} />}</Loaded>
      )}
    </Page>
  );
}

const TABS = [
  { value: 'one', label: 'Explore' },
  { value: 'quote', label: 'Quote many URLs' },
];

function Chosen({ catalog }: { readonly catalog: Catalog }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const path = explorerPath(search, catalog);
  return (
    <>
      <Panel>
        <ExplorerControls
          search={search}
          catalog={catalog}
          onChange={(change) => void navigate({ search: { ...search, ...change }, replace: true })}
        />
      </Panel>
      {path === undefined ? (
        <Panel>
          <Empty title="Choose a brand">Type a part of its name.</Empty>
        </Panel>
      ) : (
        <Result path={path} />
      )}
    </>
  );
}

function Result({ path }: { readonly path: string }) {
  const { base_url: baseUrl } = useSession();
  // Without a key the shell says so, instead of the API.
  const apiKey = '${API_KEY:?Set it to an API key of this account}';
  const curl = `curl -H "Authorization: Bearer ${apiKey}" ${baseUrl}${path}`;
  return (
    <>
      <Panel flush title={<ResourceName path={path} />}>
        <PaidData key={path} path={path} />
      </Panel>
      <Panel title="The same from a terminal">
        <CopyText value={curl} what="command" />
      </Panel>
    </>
  );
}

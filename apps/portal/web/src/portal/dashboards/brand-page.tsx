import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { REGIONS } from '#popularity/regions.js';
import { pathOf } from '../../format/resource-path.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { PaidData } from '../data/paid-data.js';
import { RegionSelect } from '../explorer/explorer-controls.js';
import { brandOf } from '../../rest/queries.js';

const route = getRouteApi('/dashboard/brands/$id');

/** One brand: its volume over time in a region. */
export function BrandPage() {
  const { id } = route.useParams();
  const { country } = route.useSearch();
  const navigate = route.useNavigate();
  const brand = useQuery(brandOf(id));
  return (
    <Loaded of={brand} rows={8} missing={<UnknownBrand />}>
      {({ items: [found] }) => {
        if (found === undefined) return <UnknownBrand />;
        const region = country ?? REGIONS[0];
        return (
          <Page
            title={found.label}
            lead="Brand"
            actions={
              <RegionSelect
                value={region}
                onChange={(next) => void navigate({ search: { country: next }, replace: true })}
              />
            }
          >
            <Panel flush title="Volume over time">
              <PaidData
                key={region}
                path={pathOf({ resource: 'timeseries', type: 'brand', region, item: id })}
              />
            </Panel>
          </Page>
        );
      }}
    </Loaded>
  );
}

function UnknownBrand() {
  return (
    <Page title="Unknown brand">
      <Empty title="The running release holds no such brand">
        <Link to="/explorer">To the explorer</Link>
      </Empty>
    </Page>
  );
}

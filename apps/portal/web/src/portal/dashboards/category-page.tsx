import { Select, SegmentedControl } from '@mantine/core';
import { useQuery, useQueries } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { REGIONS } from '#popularity/regions.js';
import { labelOf, LIMITS } from '#rating/resource.js';
import { nameOfSlug, pathOf } from '../../format/resource-path.js';
import { Loaded, Loading } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { PaidData } from '../data/paid-data.js';
import { RegionSelect } from '../explorer/explorer-controls.js';
import css from './dashboards.module.css';
import type { Catalog, Category } from '../../rest/answers.js';
import { catalogQuery, viewQuery } from '../../rest/queries.js';
import { useState } from 'react';
import type { ReactNode } from 'react';

const route = getRouteApi('/dashboard/categories/$id');

/** One category: what is related to it, what ranks below it, and its volume over time. */
export function CategoryPage() {
  const { id } = route.useParams();
  const catalog = useQuery(catalogQuery);
  return (
    <Loaded of={catalog} rows={8}>
      {(data) => {
        const category = data.categories.find((each) => each.id === id.toLowerCase());
        if (category === undefined) return <UnknownCategory />;
        return <Dashboard key={id} category={category} catalog={data} />;
      }}
    </Loaded>
  );
}

function UnknownCategory() {
  return (
    <Page title="Unknown category">
      <Empty title="The running release holds no such category">
        <Link to="/explorer">To the explorer</Link>
      </Empty>
    </Page>
  );
}

interface DashboardProps {
  readonly category: Category;
  readonly catalog: Catalog;
}

function Dashboard({ category, catalog }: DashboardProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const region = search.country ?? REGIONS[0];
  const group = search.related ?? catalog.groups[0] ?? '';
  const show = (change: { country?: string; related?: string }) =>
    void navigate({ search: { ...search, ...change }, replace: true });
  return (
    <Page
      title={category.label}
      lead={<Above category={category} catalog={catalog} region={region} />}
      actions={
        <>
          <RegionSelect value={region} onChange={(country) => show({ country })} />
          <Select
            label="Related group"
            data={catalog.groups.map((value) => ({ value, label: nameOfSlug(value) }))}
            value={group}
            allowDeselect={false}
            onChange={(related) => related !== null && show({ related })}
          />
        </>
      }
    >
      <Panels category={category} region={region} group={group} />
      <Below category={category} catalog={catalog} region={region} />
    </Page>
  );
}

interface PanelsProps {
  readonly category: Category;
  readonly region: string;
  readonly group: string;
}

function Panels({ category: { id, level, slug }, region, group }: PanelsProps) {
  const asked = { level, region };
  return (
    <>
      {level === 'cat5' && (
        <Panel flush title="Volume over time">
          <PaidData
            key={region}
            path={pathOf({ resource: 'timeseries', type: level, region, item: id })}
          />
        </Panel>
      )}
      <LimitedPanel
        key={`${region} ${group}`}
        title={`Related ${nameOfSlug(group).toLowerCase()}`}
        pathOf={(limit) =>
          pathOf({ ...asked, resource: 'related-trends', limit, category: id, group })
        }
      />
      {level !== 'cat5' && (
        <>
          <LimitedPanel
            key={`trends ${region}`}
            title="Trends"
            pathOf={(limit) => pathOf({ ...asked, resource: 'trends', limit, category: slug })}
          />
          <LimitedPanel
            key={`brands ${region}`}
            title="Brands"
            pathOf={(limit) => pathOf({ ...asked, resource: 'brands', limit, category: slug })}
          />
        </>
      )}
    </>
  );
}

interface AroundProps extends DashboardProps {
  readonly region: string;
}

/** The categories above, from the widest on. */
function Above({ category, catalog, region }: AroundProps) {
  const above: Category[] = [];
  for (let id = category.parent_id; id !== null;) {
    const parent = catalog.categories.find((each) => each.id === id);
    if (parent === undefined) break;
    above.unshift(parent);
    id = parent.parent_id;
  }
  if (above.length === 0) return <>The whole market</>;
  return (
    <span className={css.links}>
      {above.map(({ id, label }) => (
        <Link key={id} to="/dashboard/categories/$id" params={{ id }} search={{ country: region }}>
          {label}
        </Link>
      ))}
    </span>
  );
}

function Below({ category, catalog, region }: AroundProps) {
  const below = catalog.categories.filter(({ parent_id: parent }) => parent === category.id);
  if (below.length === 0) return null;
  return (
    <Panel title="Within it">
      <p className={css.chips}>
        {below.map(({ id, label }) => (
          <Link
            key={id}
            to="/dashboard/categories/$id"
            params={{ id }}
            search={{ country: region }}
          >
            {label}
          </Link>
        ))}
      </p>
    </Panel>
  );
}

interface LimitedPanelProps {
  readonly title: ReactNode;
  readonly pathOf: (limit: string) => string;
}

/** A listing at the limit that one chooses; at first the longest that is paid for. */
function LimitedPanel({ title, pathOf }: LimitedPanelProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const looks = useQueries({ queries: LIMITS.map((limit) => viewQuery(pathOf(limit))) });
  const isKnown = looks.every(({ isPending }) => !isPending);
  const paid = LIMITS.filter((_, index) => looks[index]?.data?.paid === true);
  const limit = chosen ?? paid.at(-1) ?? LIMITS[0];
  const control = (
    <SegmentedControl
      size="xs"
      aria-label="Rows"
      data={LIMITS.map((value) => ({
        value,
        label: labelOf('limit', value) + (paid.includes(value) ? ' ✓' : ''),
      }))}
      value={limit}
      onChange={setChosen}
    />
  );
  return (
    <Panel flush title={title} aside={control}>
      {isKnown || chosen !== null ? <PaidData key={limit} path={pathOf(limit)} /> : <Loading />}
    </Panel>
  );
}

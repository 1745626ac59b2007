import { useInfiniteQuery } from '@tanstack/react-query';
import { formatNumber } from '../../format/credits.js';
import { Moment } from '../../ui/moment.js';
import { Empty, Notice } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { numberCell } from '../../ui/table.js';
import type { Release } from '../rest/admin-answers.js';
import { releasesQuery } from '../rest/admin-queries.js';

const COLUMNS: readonly SortedColumn<Release>[] = [
  { name: 'release', label: 'Release', value: ({ release }) => release },
  { name: 'window', label: 'From window', value: ({ window }) => window },
  { name: 'through', label: 'Data through', value: ({ through }) => through },
  { name: 'categories', label: 'Categories', isNumber: true, value: (one) => one.categories },
  { name: 'brands', label: 'Brands', isNumber: true, value: ({ brands }) => brands },
  { name: 'relations', label: 'Relations', isNumber: true, value: ({ relations }) => relations },
  { name: 'volumes', label: 'Volumes', isNumber: true, value: ({ volumes }) => volumes },
  { name: 'published', label: 'Published', value: (one) => one.published_at },
  { name: 'sha256', label: 'SHA-256', value: ({ sha256 }) => sha256 },
];

/** Releases with the windows that they serve. */
export function ReleasesPage() {
  const releases = useInfiniteQuery(releasesQuery);
  return (
    <Page
      wide
      title="Releases"
      lead="Each serves from its window on, until a newer one takes over."
    >
      <Panel flush>
        <Paged
          of={releases}
          empty={<Empty title="No release yet">Metered calls answer 404.</Empty>}
        >
          {(items) => (
            <SortedTable label="Releases" columns={COLUMNS} rows={items.toReversed()}>
              {(release) => (
                <tr key={release.release}>
                  <td>{release.release}</td>
                  <td>{release.window}</td>
                  <td>{release.through}</td>
                  <td className={numberCell}>{formatNumber(release.categories)}</td>
                  <td className={numberCell}>{formatNumber(release.brands)}</td>
                  <td className={numberCell}>{formatNumber(release.relations)}</td>
                  <td className={numberCell}>{formatNumber(release.volumes)}</td>
                  <td>
                    <Moment at={release.published_at} />
                  </td>
                  <td>
                    <code title={release.sha256}>{release.sha256.slice(0, 12)}…</code>
                  </td>
                </tr>
              )}
            </SortedTable>
          )}
        </Paged>
      </Panel>
      <Notice title="A new release">
        <code>npm run popindex -- release import DIR --dry-run</code> checks a folder of CSV files
        and says what is wrong with it; without <code>--dry-run</code> it takes all of it or
        nothing.
      </Notice>
    </Page>
  );
}

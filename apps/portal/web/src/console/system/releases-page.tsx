import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { ActButton } from '../../form/act-button.js';
import { Pill } from '../../ui/pill.js';
import { admin } from '../admin.js';
import type { Release } from '../../rest/answers.js';
import { moment, number, text } from '../../ui/columns.js';
import { type Columns } from '../../ui/data-table.js';
import { ListPanel } from '../../ui/list-panel.js';

const COLUMNS: Columns<Release> = [
  text('Release', ({ release }) => release),
  text('From window', ({ window }) => window),
  text('Data through', ({ through }) => through),
  number('Categories', ({ categories }) => categories),
  number('Brands', ({ brands }) => brands),
  number('Relations', ({ relations }) => relations),
  number('Volumes', ({ volumes }) => volumes),
  moment('Published', (release) => release.published_at),
  {
    label: 'Until it serves',
    cell: ({ release, window, withdrawn_at: withdrawnAt, older_than: olderThan }) =>
      withdrawnAt === null ? (
        <>
          {olderThan !== null && <Pill tone="warn">older than {olderThan}</Pill>}
          <ActButton
            label="Withdraw"
            title={`Withdraw ${release}?`}
            confirm="Withdraw it"
            of={admin.withdrawRelease({ release })}
          >
            The release before it serves {window} instead. Once {window} begins, this is refused.
          </ActButton>
        </>
      ) : (
        <Pill tone="plain">withdrawn</Pill>
      ),
  },
  {
    label: 'SHA-256',
    sort: ({ sha256 }) => sha256,
    cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}…</code>,
  },
];

/** Releases with the windows that they serve. */
export function ReleasesPage() {
  return (
    <Page
      wide
      title="Releases"
      lead="Each serves from its window on, until a newer one takes over."
    >
      <ListPanel
        label="Releases"
        of={admin.listReleases({ limit: 1000 })}
        columns={COLUMNS}
        keyOf={({ release }) => release}
        empty={['No release yet', 'Metered calls answer 404.']}
        isTurned
      />
      <Notice title="A new release">
        <code>npm run popindex -- release import DIR --dry-run</code> checks a folder of CSV files
        and says what is wrong with it; without <code>--dry-run</code> it takes all of it or
        nothing.
      </Notice>
    </Page>
  );
}

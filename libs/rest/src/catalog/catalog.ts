import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { present } from '#projections/reads/account-view.js';
import type { PublishedRelease } from '#popularity/release-events.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Table } from '#web/table-answer.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { type PortalReleases } from './ports.js';
import { catalogPage } from './catalog-rows.js';
import type { CatalogQuery } from './catalog-queries.js';
import type { CatalogItem, CatalogValue } from './catalog.schemas.js';
import { releaseFor } from './own-release.js';

/** The names that can be requested, without figures, free. */
export class CatalogReads {
  /** Rows of a release never change; the groups of the one that was asked for last are kept. */
  private known: { readonly load: number; readonly groups: Promise<CatalogValue[]> } | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly loader: AccountLoader,
    private readonly releases: PortalReleases,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** Categories and brands. Throws a ProblemException (`unknown-window`), BadCursorError. */
  async page(accountId: string, query: CatalogQuery): Promise<Table<CatalogItem>> {
    const { load } = await this.release(accountId);
    return catalogPage(this.pool, load, query);
  }

  /** Groups of related trends, by name. Throws a ProblemException (`unknown-window`). */
  async groups(accountId: string): Promise<readonly CatalogValue[]> {
    const { load } = await this.release(accountId);
    if (this.known?.load !== load) {
      const groups = this.readGroups(load);
      this.known = { load, groups };
      groups.catch(() => (this.known = undefined));
    }
    return this.known.groups;
  }

  private async release(accountId: string): Promise<PublishedRelease> {
    const known = await knownAccount(this.loader, accountId);
    const { state, at } = present(known, this.clock.now(), this.calendar);
    const serving = releaseFor(this.releases, state, this.calendar.windowAt(at).label);
    const found = this.releases.published().find(({ label }) => label === serving?.label);
    if (found !== undefined) return found;
    throw new ProblemException(problem('unknown-window', 'There is no data yet.'));
  }

  private async readGroups(load: number): Promise<CatalogValue[]> {
    // Step by step through the index: the rows of a group are many, the groups are few.
    const { rows } = await this.pool.query<{ name: string }>(
      `with recursive step as (
         select min(group_name) as name from release_relation where load = $1
         union all
         select (select min(group_name) from release_relation
                  where load = $1 and group_name > step.name) from step where step.name is not null
       ) select name from step where name is not null order by name`,
      [load],
    );
    return rows.map(({ name }) => ({ slug: name, label: wordsOf(name) }));
  }
}

/** `skin-types` as `Skin types`. */
function wordsOf(slug: string): string {
  const words = slug.replaceAll('-', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

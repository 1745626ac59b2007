import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { AccountLoader } from '#ledger/loading/account-loader.js';
import { BadCursorError } from '#web/read-errors.js';
import { present } from '#ledger/reads/account-view.js';
import { beyond } from '#ledger/views/pages.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import type { PublishedRelease } from '#popularity/release-events.js';
import { LEVELS, LIMITS, REGIONS, SERIES_TYPES } from '#rating/resource.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Table } from '#web/table-answer.js';
import { isUuid } from '#web/uuid.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { CLOCK } from '../operation/ports.js';
import { PORTAL_RELEASES, type PortalReleases } from './ports.js';
import type { BrandsQuery } from './catalog-queries.js';
import type { Brand, Catalog } from './catalog.schemas.js';
import { releaseFor } from './own-release.js';

const BRANDS = 'brands';

/** The names that can be requested, without figures, free. */
@Injectable()
export class CatalogReads {
  /** Rows of a release never change; those of the one that was asked for last are kept. */
  private known: { readonly load: number; readonly view: Promise<Catalog> } | undefined;

  constructor(
    @Inject(pg.Pool) private readonly pool: pg.Pool,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(PORTAL_RELEASES) private readonly releases: PortalReleases,
    @Inject(Calendar) private readonly calendar: Calendar,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Of the release that serves the account now. Throws a ProblemException (`unknown-window`). */
  async all(accountId: string): Promise<Catalog> {
    const release = await this.release(accountId);
    if (this.known?.load !== release.load) {
      const view = this.read(release);
      this.known = { load: release.load, view };
      view.catch(() => (this.known = undefined));
    }
    return this.known.view;
  }

  /** By label. Throws a ProblemException, BadCursorError. */
  async brands(accountId: string, query: BrandsQuery): Promise<Table<Brand>> {
    const { load } = await this.release(accountId);
    const { search, category_id: category = null, brand_id: brand = null } = query;
    const { after, limit, order } = query;
    const [label = null, id = null] = after === undefined ? [] : decodeBrand(after);
    const { rows } = await this.pool.query<Brand>({
      name: `catalog-brands-${order}`,
      text: `select b.id::text, b.label from release_brand b
              where b.load = $1 and ($2::text is null or b.label ilike $2)
                and ($3::uuid is null or exists (
                  select from release_category c
                    join release_brand_category bc on bc.load = c.load
                     and bc.category between c.first and c.last and bc.brand = b.id
                   where c.load = b.load and c.id = $3))
                and ($4::uuid is null or b.id = $4)
                and ($5::text is null or (b.label, b.id) ${beyond(order)} ($5 collate "C", $6::uuid))
              order by b.label ${order}, b.id ${order} limit $7`,
      values: [load, patternOf(search), category, brand, label, id, limit + 1],
    });
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    const next = last === undefined ? null : encodePlace(BRANDS, [last.label, last.id]);
    return { items, next };
  }

  private async release(accountId: string): Promise<PublishedRelease> {
    const known = await knownAccount(this.loader, accountId);
    const { state, at } = present(known, this.clock.now(), this.calendar);
    const serving = releaseFor(this.releases, state, this.calendar.windowAt(at).label);
    const found = this.releases.published().find(({ label }) => label === serving?.label);
    if (found !== undefined) return found;
    throw new ProblemException(problem('unknown-window', 'There is no data yet.'));
  }

  private async read({ load, label, through }: PublishedRelease): Promise<Catalog> {
    const categories = await this.pool.query<Catalog['categories'][number]>(
      `select id::text, 'cat' || level as level, label, slug, parent_id::text, life_cycle
         from release_category where load = $1 order by first`,
      [load],
    );
    // Step by step through the index: the rows of a group are many, the groups are few.
    const groups = await this.pool.query<{ name: string }>(
      `with recursive step as (
         select min(group_name) as name from release_relation where load = $1
         union all
         select (select min(group_name) from release_relation
                  where load = $1 and group_name > step.name) from step where step.name is not null
       ) select name from step where name is not null order by name`,
      [load],
    );
    return {
      release: label,
      through,
      levels: LEVELS,
      limits: LIMITS,
      regions: REGIONS,
      types: SERIES_TYPES,
      groups: groups.rows.map(({ name }) => name),
      categories: categories.rows,
    };
  }
}

function patternOf(search: string | undefined): string | null {
  return search === undefined ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

function decodeBrand(cursor: string): readonly [label: string, id: string] {
  const [label = '', id = ''] = decodePlace(BRANDS, 2, cursor);
  if (!isUuid(id)) throw new BadCursorError(cursor);
  return [label, id];
}

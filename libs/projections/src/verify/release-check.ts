import type pg from 'pg';
import { releaseDigests } from '#popularity/release-digests.js';
import type { ReleasePublished } from '#popularity/release-events.js';
import type { LaneFindings } from './findings.js';

export interface NamedRelease {
  readonly position: number;
  readonly data: ReleasePublished;
}

/** Rows that a release's event counts. */
type Counts = Pick<ReleasePublished, 'categories' | 'brands' | 'relations' | 'volumes'>;

/**
 * The rows of a published release: those that were loaded, by the digests in its event. Of one that
 * was published before there were digests the rows are counted; the answer says so, else it is
 * null.
 */
export async function checkRelease(
  client: pg.ClientBase,
  { position, data }: NamedRelease,
  findings: LaneFindings,
): Promise<string | null> {
  const place = `release ${data.release}, load ${data.load}, named in lane ${findings.lane} at position ${position}`;
  const report = (table: string, expected: unknown, found: unknown): void =>
    findings.add('releases', { table, key: place, expected, found });
  await checkFiles(client, data, report);
  if (data.tables === undefined) {
    await checkCounts(client, data, report);
    return `The figures and labels of release ${data.release} are not covered: it was published before their hashes were recorded. Its rows were counted.`;
  }
  const stored = await releaseDigests(client, data.load);
  for (const [table, expected] of Object.entries(data.tables)) {
    const found = stored[table];
    if (found?.rows === expected.rows && found.sha256 === expected.sha256) continue;
    report(table, expected, found ?? null);
  }
  return null;
}

type Report = (table: string, expected: unknown, found: unknown) => void;

async function checkFiles(
  client: pg.ClientBase,
  { load, sha256 }: ReleasePublished,
  report: Report,
): Promise<void> {
  const { rows } = await client.query<{ sha256: string }>(
    'select sha256 from release_load where load = $1',
    [load],
  );
  if (rows[0]?.sha256 !== sha256) report('release_load', { sha256 }, rows[0] ?? null);
}

async function checkCounts(
  client: pg.ClientBase,
  { load, categories, brands, relations, volumes }: ReleasePublished,
  report: Report,
): Promise<void> {
  const { rows } = await client.query<Counts>(
    `select (select count(*) from release_category where load = $1)::int as categories,
            (select count(*) from release_brand where load = $1)::int as brands,
            (select count(*) from release_relation where load = $1)::int as relations,
            (select coalesce(sum(cardinality(months)), 0) from release_series where load = $1)::int
              as volumes`,
    [load],
  );
  const expected: Counts = { categories, brands, relations, volumes };
  for (const [member, table] of COUNTED) {
    const found = rows[0]?.[member];
    if (found !== expected[member]) {
      report(table, { [member]: expected[member] }, { [member]: found ?? null });
    }
  }
}

const COUNTED: readonly (readonly [member: keyof Counts, table: string])[] = [
  ['categories', 'release_category'],
  ['brands', 'release_brand'],
  ['relations', 'release_relation'],
  ['volumes', 'release_series'],
];

import { ALL_MIGRATIONS } from '#database/migrations/all-migrations.js';
import { manifestSum, manifestText, parseManifest, type Manifest } from './manifest.js';

const SUM = '0'.repeat(64);

function manifestWith(changes: Partial<Manifest> = {}): Manifest {
  return {
    format: 1,
    created_at: '2026-11-24T09:00:00.123Z',
    server_version: '18.4',
    migrations: ALL_MIGRATIONS.map((Migration) => new Migration().name),
    events: 0,
    batches: 0,
    lanes: Array.from({ length: 65 }, (_, lane) => ({
      lane,
      position: 0,
      head: SUM,
      batches: 0,
      file: `log/${lane}.jsonl`,
      bytes: 0,
      sha256: SUM,
    })),
    tables: [],
    ...changes,
  };
}

const profile = { table: 'profile', columns: ['id'], rows: 0, file: 'p', bytes: 0, sha256: SUM };

test('a manifest is read as it was written', () => {
  expect(parseManifest(manifestText(manifestWith()))).toEqual(manifestWith());
});

test('the sum of a manifest is the same however its members are ordered', () => {
  const written = manifestWith();
  const turned = Object.fromEntries(Object.entries(written).toReversed()) as unknown as Manifest;
  expect(manifestSum(turned)).toBe(manifestSum(written));
  expect(manifestText(written)).toContain(manifestSum(written));
  expect(manifestSum(manifestWith({ events: 1 }))).not.toBe(manifestSum(written));
});

test.each<[string, string, string]>([
  ['no JSON', '{"format": 1', 'is no JSON'],
  ['null', 'null', 'the whole: Invalid input: expected object, received null'],
  ['a newer format', '{"format": 2}', 'is of format 2, which a newer version wrote'],
  ['no members', '{"format": 1}', 'created_at: Invalid input'],
  [
    'an unknown member',
    manifestText({ ...manifestWith(), more: 1 } as Manifest),
    'Unrecognized key: "more"',
  ],
  [
    'a changed number',
    manifestText(manifestWith()).replace('"batches": 0', '"batches": 1'),
    'was changed',
  ],
  [
    'an unknown migration',
    manifestText(manifestWith({ migrations: ['Later1'] })),
    'was taken from a database that a newer version migrated (Later1)',
  ],
  [
    'a missing lane',
    manifestText(manifestWith({ lanes: manifestWith().lanes.slice(1) })),
    'does not name the lanes 0 to 64 in order',
  ],
  ['a table twice', manifestText(manifestWith({ tables: [profile, profile] })), 'a table twice'],
  [
    'a table that no backup holds',
    manifestText(manifestWith({ tables: [{ ...profile, table: 'pg_authid' }] })),
    'tables.0.table: Invalid option',
  ],
])('a manifest with %s is refused', (_what, text, reason) => {
  expect(parseManifest(text)).toContain(reason);
});

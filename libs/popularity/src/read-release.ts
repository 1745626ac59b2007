import { createHash } from 'node:crypto';
import { BrandsTable, type Brand } from './brands-table.js';
import { CategoriesTable, type Category } from './categories-table.js';
import { Faults, type Fault } from './fault.js';
import { monthText } from './month.js';
import { RelationsTable, type Relation } from './relations-table.js';
import type { Series } from './series.js';
import type { Table } from './table.js';
import { openTableFile, readTableFile, type TableFile } from './table-file.js';
import { VolumesTable } from './volumes-table.js';

/** Content of a release's files, checked whole. */
export interface ReleaseContent {
  /** SHA-256 in hex over the bytes of all four files: equal files, equal content. */
  readonly sha256: string;
  /** Newest month of any row, `YYYY-MM-01`. */
  readonly through: string;
  readonly categories: ReadonlyMap<string, Category>;
  readonly brands: ReadonlyMap<string, Brand>;
  readonly relations: readonly Relation[];
  /** Every item that has volumes, its series by region, `global` only where it has own rows. */
  readonly series: readonly ItemSeries[];
  readonly volumes: number;
}

export interface ItemSeries {
  readonly item: string;
  readonly byRegion: ReadonlyMap<string, Series>;
}

export interface FileProgress {
  readonly file: string;
  /** Rows of this file so far. */
  readonly rows: number;
  /** Bytes of all files so far, and in all. */
  readonly bytes: number;
  readonly totalBytes: number;
}

export type ReadOutcome =
  | { readonly outcome: 'read'; readonly content: ReleaseContent }
  /** `total` counts all faults, of which the first few of each kind are listed. */
  | { readonly outcome: 'faulty'; readonly faults: readonly Fault[]; readonly total: number };

/**
 * Reads and checks the four files of a release. All faults are found in one go, but for a missing
 * file or a wrong header: then the rows are not looked at, as nothing would refer to anything.
 * Throws when a file cannot be read for a reason of the machine's.
 */
export async function readRelease(
  directory: string,
  onProgress: (progress: FileProgress) => void = () => undefined,
): Promise<ReadOutcome> {
  const faults = new Faults();
  const categories = new CategoriesTable(faults);
  const brands = new BrandsTable(faults, categories);
  const relations = new RelationsTable(faults, categories);
  const volumes = new VolumesTable(faults, categories, brands);
  const tables: readonly Table[] = [categories, brands, relations, volumes];
  const sha256 = await readTables(directory, tables, faults, onProgress);
  if (faults.total > 0) {
    const listed = faults.list(tables.map(({ file }) => file));
    return { outcome: 'faulty', faults: listed, total: faults.total };
  }
  const series = [...volumes.series()];
  const content: ReleaseContent = {
    sha256,
    through: monthText(newestMonth(series)),
    categories: categories.categories,
    brands: brands.brands,
    relations: [...relations.relations.values()],
    series,
    volumes: volumes.rows,
  };
  return { outcome: 'read', content };
}

/** Answers the SHA-256 over all files: their names and digests, in the order of the tables. */
async function readTables(
  directory: string,
  tables: readonly Table[],
  faults: Faults,
  onProgress: (progress: FileProgress) => void,
): Promise<string> {
  const files: TableFile[] = [];
  for (const table of tables) {
    const file = await openTableFile(directory, table, faults);
    if (file !== null) files.push(file);
  }
  const hash = createHash('sha256');
  if (faults.total > 0) return '';
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const file of files) {
    const name = file.table.file;
    const { sha256 } = await readTableFile(file, faults, (rows, bytes) =>
      onProgress({ file: name, rows, bytes: before + bytes, totalBytes }),
    );
    before += file.bytes;
    hash.update(`${sha256}  ${name}\n`);
  }
  return hash.digest('hex');
}

function newestMonth(series: readonly ItemSeries[]): number {
  let newest = 0;
  for (const { byRegion } of series) {
    for (const { months } of byRegion.values()) newest = Math.max(newest, months.at(-1) ?? 0);
  }
  return newest;
}

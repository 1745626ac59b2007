import type { BrandsTable } from './brands-table.js';
import type { CategoriesTable } from './categories-table.js';
import type { Faults } from './fault.js';
import { regionFault, uuidField, volumeFault, volumeField } from './fields.js';
import { monthFault, monthNumber, monthText } from './month.js';
import { REGIONS } from './regions.js';
import type { Series } from './series.js';
import { SOURCES } from './sources.js';
import { complaintsAt, type Table } from './table.js';

/** Rows of one item in one region as they came; volumes are safe integers in ten-thousandths. */
interface SeriesRows {
  readonly months: number[];
  readonly lines: number[];
  /** In the order of `SOURCES`. */
  readonly bySource: readonly number[][];
}

/** Rows of one item, by the region's place in `REGIONS`. */
type ItemRows = (SeriesRows | undefined)[];

/**
 * `volumes.csv`: much the largest file, so that its rows are kept as plain numbers and its values
 * are looked up, not parsed again, where they repeat.
 */
export class VolumesTable implements Table {
  readonly file = 'volumes.csv';
  readonly columns = ['item_id', 'region', 'month', ...SOURCES];
  rows = 0;
  readonly #items = new Map<string, ItemRows>();
  readonly #months = new Map<string, number>();
  readonly #regions = new Map<string, number>(REGIONS.map((region, index) => [region, index]));

  constructor(
    private readonly faults: Faults,
    private readonly catalogue: CategoriesTable,
    private readonly brands: BrandsTable,
  ) {}

  row(line: number, values: readonly string[]): void {
    const [id = '', regionName = '', monthName = '', ...volumes] = values;
    const item = this.#items.get(id) ?? this.#itemOf(id, line);
    const region = this.#regions.get(regionName) ?? this.#refuse(line, 'region', regionName);
    const month = this.#months.get(monthName) ?? this.#monthOf(monthName, line);
    const parsed = volumes.map(volumeField);
    if (parsed.some((volume) => volume < 0)) this.#complainOfVolumes(volumes, line);
    if (item === null || region === null || month === null) return;
    const series = (item[region] ??= emptyRows());
    this.#checkFirst(series, month, line);
    series.months.push(month);
    series.lines.push(line);
    series.bySource.forEach((all, source) => all.push(parsed[source] ?? 0));
    this.rows += 1;
  }

  end(): void {
    if (this.rows === 0 && this.faults.total === 0) {
      this.faults.add(this.file, null, null, 'holds no volume');
    }
  }

  /** Every item that has rows with its series by region, months ascending. */
  *series(): Generator<{ readonly item: string; readonly byRegion: Map<string, Series> }> {
    for (const [item, regions] of this.#items) {
      const byRegion = new Map<string, Series>();
      REGIONS.forEach((region, index) => {
        const rows = regions[index];
        if (rows !== undefined) byRegion.set(region, seriesOf(rows));
      });
      if (byRegion.size > 0) yield { item, byRegion };
    }
  }

  #checkFirst(series: SeriesRows, month: number, line: number): void {
    const last = series.months.at(-1);
    if (last === undefined || month > last) return;
    const earlier = series.months.indexOf(month);
    if (earlier === -1) return;
    const place = `in this region on line ${series.lines[earlier]} already`;
    this.faults.add(this.file, line, 'month', `the item has ${monthText(month)} ${place}`);
  }

  #itemOf(text: string, line: number): ItemRows | null {
    const complain = complaintsAt(this.faults, this.file, line);
    const id = uuidField('item_id', text, complain);
    if (id === null) return null;
    if (!this.brands.brands.has(id)) {
      const fault = this.catalogue.leafFault(id);
      if (fault !== null) {
        complain('item_id', fault.replace('is no category', 'is no category and no brand'));
        return null;
      }
    }
    const known = this.#items.get(id);
    if (known !== undefined) return known;
    const item: ItemRows = [];
    this.#items.set(id, item);
    return item;
  }

  #monthOf(text: string, line: number): number | null {
    const month = monthNumber(text);
    if (month === undefined) {
      this.faults.add(this.file, line, 'month', monthFault(text));
      return null;
    }
    this.#months.set(text, month);
    return month;
  }

  #refuse(line: number, column: string, text: string): null {
    this.faults.add(this.file, line, column, regionFault(text));
    return null;
  }

  #complainOfVolumes(volumes: readonly string[], line: number): void {
    volumes.forEach((text, index) => {
      if (volumeField(text) >= 0) return;
      this.faults.add(this.file, line, this.columns[index + 3] ?? null, volumeFault(text));
    });
  }
}

function emptyRows(): SeriesRows {
  return { months: [], lines: [], bySource: SOURCES.map(() => []) };
}

function seriesOf(rows: SeriesRows): Series {
  const { months } = rows;
  const order = months.map((_, index) => index);
  const ascending = months.every((month, index) => index === 0 || month > (months[index - 1] ?? 0));
  if (!ascending) order.sort((one, other) => (months[one] ?? 0) - (months[other] ?? 0));
  return {
    months: order.map((index) => months[index] ?? 0),
    bySource: rows.bySource.map((values) => order.map((index) => BigInt(values[index] ?? 0))),
  };
}

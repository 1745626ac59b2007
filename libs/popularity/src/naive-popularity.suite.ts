import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';

// The rules of the figures once more, slow and plain, from the files alone: what the program
// answers is held against it.

type Row = Readonly<Record<string, string>>;

interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** A month's volumes in ten-thousandths: google, tiktok, instagram. */
type Volumes = readonly [bigint, bigint, bigint];
type Months = Map<string, Volumes>;

function rounded({ top, bottom }: Fraction, decimals: number): number {
  const scale = 10n ** BigInt(decimals);
  const floor = (value: bigint, by: bigint): bigint => value / by - (value % by < 0n ? 1n : 0n);
  const down = floor(top * scale, bottom);
  const rest = 2n * (top * scale - down * bottom);
  const up = rest > bottom || (rest === bottom && down % 2n !== 0n);
  return Number(`${up ? down + 1n : down}e-${decimals}`);
}

function monthsBack(month: string, count: number): string {
  const date = new Date(`${month}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - count);
  return date.toISOString().slice(0, 10);
}

function total(volumes: Volumes): bigint {
  return volumes[0] + volumes[1] + volumes[2];
}

export class NaivePopularity {
  readonly categories: readonly Row[];
  readonly brands: readonly Row[];
  readonly relations: readonly Row[];
  readonly #rows = new Map<string, Map<string, Months>>();
  readonly #newest = new Map<string, string>();

  constructor(directory: string) {
    const table = (file: string): Row[] =>
      parse(readFileSync(path.join(directory, file)), { columns: true });
    this.categories = table('categories.csv');
    this.brands = table('brands.csv');
    this.relations = table('relations.csv');
    for (const row of table('volumes.csv')) {
      const regions = this.#rows.get(row.item_id ?? '') ?? new Map<string, Months>();
      const months = regions.get(row.region ?? '') ?? new Map<string, Volumes>();
      const [a = 0n, b = 0n, c = 0n] = [row.google, row.tiktok, row.instagram].map((text) =>
        BigInt(Math.round(Number(text) * 10_000)),
      );
      months.set(row.month ?? '', [a, b, c]);
      this.#rows.set(row.item_id ?? '', regions.set(row.region ?? '', months));
    }
  }

  /** Ids of the cat5 categories below one, or itself. */
  leavesBelow(id: string): Set<string> {
    const own = this.categories.filter((category) => category.id === id);
    const children = this.categories.filter((category) => category.parent_id === id);
    return new Set([
      ...own.filter(({ level }) => level === 'cat5').map((category) => category.id ?? ''),
      ...children.flatMap((child) => [...this.leavesBelow(child.id ?? '')]),
    ]);
  }

  brandsOf(id: string): Set<string> {
    const direct = this.brands.filter((brand) => brand.category_id === id);
    const children = this.categories.filter((category) => category.parent_id === id);
    return new Set([
      ...direct.map((brand) => brand.id ?? ''),
      ...children.flatMap((child) => [...this.brandsOf(child.id ?? '')]),
    ]);
  }

  relatedTo(id: string, group: string): Set<string> {
    const leaves = this.leavesBelow(id);
    const named = this.relations.filter(
      (relation) => relation.group === group && leaves.has(relation.category_id ?? ''),
    );
    return new Set(named.map((relation) => relation.related_id ?? ''));
  }

  months(item: string, region: string): Months {
    const regions = this.#rows.get(item) ?? new Map<string, Months>();
    if (region !== 'global' || regions.has('global')) return regions.get(region) ?? new Map();
    const sums = new Map<string, Volumes>();
    for (const months of regions.values()) {
      for (const [month, [a, b, c]] of months) {
        const [x, y, z] = sums.get(month) ?? [0n, 0n, 0n];
        sums.set(month, [a + x, b + y, c + z]);
      }
    }
    return sums;
  }

  points(item: string, region: string): unknown[] {
    const months = [...this.months(item, region)];
    months.sort(([one], [other]) => (one < other ? -1 : 1));
    return months.map(([date, volumes]) => ({
      date,
      real_volume: rounded({ top: total(volumes), bottom: 10_000n }, 4),
    }));
  }

  /** Items with all figures, ranked. */
  ranked(items: ReadonlySet<string>, region: string, shape: string): Row[] {
    const rows = [...items].flatMap((id) => {
      const months = this.months(id, region);
      const figures = months.size === 0 ? null : this.#figures(months, region);
      return figures === null ? [] : [{ id, label: this.#label(id), figures }];
    });
    rows.sort(
      (one, other) =>
        Number(other.figures.popularity) - Number(one.figures.popularity) ||
        Buffer.compare(Buffer.from(one.label), Buffer.from(other.label)) ||
        (one.id < other.id ? -1 : 1),
    );
    return rows.map(({ id, label, figures }, index) => {
      const named = { [`${shape}_id`]: id, [`${shape}_label`]: label, rank: index + 1, ...figures };
      return shape === 'related_trend' ? { ...named, life_cycle: this.#lifeCycle(id) } : named;
    }) as unknown as Row[];
  }

  #newestMonth(region: string): string {
    const known = this.#newest.get(region);
    if (known !== undefined) return known;
    const months = [...this.#rows.keys()].flatMap((item) => [...this.months(item, region).keys()]);
    const newest = months.toSorted().at(-1) ?? '';
    this.#newest.set(region, newest);
    return newest;
  }

  #figures(months: Months, region: string): Record<string, number | null> | null {
    const newest = this.#newestMonth(region);
    const span = (skip: number, count: number): Volumes[] =>
      Array.from({ length: count }, (_, index) =>
        months.get(monthsBack(newest, skip + index)),
      ).filter((volumes) => volumes !== undefined);
    const year = span(0, 12);
    const mean = (volumes: readonly Volumes[]): Fraction => ({
      top: volumes.reduce((sum, each) => sum + total(each), 0n),
      bottom: BigInt(volumes.length) * 10_000n,
    });
    const changes = (name: string, count: number): Record<string, number | null> => {
      const [now, old] = [mean(span(0, count)), mean(span(count, count))];
      const none = now.bottom === 0n || old.bottom === 0n;
      const top = now.top * old.bottom - old.top * now.bottom;
      const percent = { top: 100n * top, bottom: now.bottom * old.top };
      return {
        [`${name}_percent_increase`]: none || old.top === 0n ? null : rounded(percent, 4),
        [`${name}_absolute_increase`]: none
          ? null
          : rounded({ top, bottom: now.bottom * old.bottom }, 0),
      };
    };
    if (year.length === 0) return null;
    const sum = mean(year).top;
    const share = (part: 0 | 1 | 2): number | null => {
      const top = year.reduce((parts, volumes) => parts + volumes[part], 0n);
      return sum === 0n ? null : rounded({ top, bottom: sum }, 6);
    };
    return {
      popularity: rounded(mean(year), 4),
      ...changes('yoy', 12),
      ...changes('qoq', 3),
      ...changes('mom', 1),
      google_share_percent: share(0),
      tiktok_share_percent: share(1),
      instagram_share_percent: share(2),
    };
  }

  #label(id: string): string {
    return [...this.categories, ...this.brands].find((row) => row.id === id)?.label ?? '';
  }

  #lifeCycle(id: string): string | null {
    const found = this.categories.find((category) => category.id === id)?.life_cycle;
    return found === undefined || found === '' ? null : found;
  }
}

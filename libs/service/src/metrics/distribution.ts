import type { Labels, Sample } from './count.js';

/** How often values of some size were seen: the buckets, sum and count of a histogram. */
export class Distribution {
  private readonly counts: number[];
  private sum = 0;

  /** `bounds`: upper ends of the buckets, ascending; what is above the last is counted as well. */
  constructor(
    private readonly bounds: readonly number[],
    private readonly labels: Labels,
  ) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? Infinity)) bucket += 1;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    this.sum += value;
  }

  samples(): Sample[] {
    const { labels } = this;
    let total = 0;
    const buckets = this.counts.map((count, index) => {
      total += count;
      const le = index < this.bounds.length ? String(this.bounds[index]) : '+Inf';
      return { labels: { ...labels, le }, value: total, suffix: '_bucket' };
    });
    const sum = { labels, value: this.sum, suffix: '_sum' };
    return [...buckets, sum, { labels, value: total, suffix: '_count' }];
  }
}

/** Distributions of one name, each with labels of its own. */
export class Distributions {
  private readonly known = new Map<string, Distribution>();

  constructor(private readonly bounds: readonly number[]) {}

  /** The distribution of these labels, which every caller must give in the same order. */
  with(labels: Labels): Distribution {
    const key = Object.values(labels).join('\n');
    let found = this.known.get(key);
    if (found === undefined) {
      found = new Distribution(this.bounds, labels);
      this.known.set(key, found);
    }
    return found;
  }

  samples(): Sample[] {
    return [...this.known.values()].flatMap((distribution) => distribution.samples());
  }
}

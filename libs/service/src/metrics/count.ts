export type Labels = Readonly<Record<string, string>>;

/** One line of a metric; `suffix` is added to its name. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly suffix?: string;
}

/** A number that only grows. Adding to it is all that a call pays for being counted. */
export interface Count {
  value: number;
}

/** Counts of one name, each with labels of its own. Keep what `with` answers: it is looked up. */
export class Counts {
  private readonly counts = new Map<string, { readonly labels: Labels; readonly count: Count }>();

  /** The count of these labels, which every caller must give in the same order. */
  with(labels: Labels): Count {
    const key = Object.values(labels).join('\n');
    const known = this.counts.get(key);
    if (known !== undefined) return known.count;
    const count = { value: 0 };
    this.counts.set(key, { labels, count });
    return count;
  }

  samples(): Sample[] {
    return [...this.counts.values()].map(({ labels, count }) => ({ labels, value: count.value }));
  }
}

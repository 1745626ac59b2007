/** One value of a text of metrics, as Prometheus reads them. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads a text of metrics; comments, and what is no number, are left out. */
export function parseMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', number] = LINE.exec(line) ?? [];
    const value = Number(number);
    if (name === undefined || Number.isNaN(value)) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', value_ = '']) => [label, value_]);
    return [{ name, labels: Object.fromEntries(pairs) as Sample['labels'], value }];
  });
}

/** The sum of a metric over all its labels, or by one of them. */
export function sumBy(
  samples: readonly Sample[],
  name: string,
  label: string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const sample of samples) {
    if (sample.name !== name) continue;
    const key = sample.labels[label] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + sample.value);
  }
  return sums;
}

/** All counts of a metric together. */
export function totalOf(samples: readonly Sample[], name: string): number {
  return samples.reduce((sum, sample) => (sample.name === name ? sum + sample.value : sum), 0);
}

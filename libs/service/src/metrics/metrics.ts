import { AggregatorRegistry, collectDefaultMetrics, Registry, type Metric } from 'prom-client';
import { Counts, type Sample } from './count.js';
import { Distributions } from './distribution.js';

type Read = () => readonly Sample[] | Promise<readonly Sample[]>;

/** Whoever asks for metrics is answered in time, without what could not be found out. */
const READ_MS_MAX = 2_000;

function nothingInTime(): Promise<readonly never[]> {
  return new Promise((resolve) => void setTimeout(() => resolve([]), READ_MS_MAX).unref());
}

async function inTime<Item>(
  read: () => readonly Item[] | Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  try {
    return await Promise.race([read(), nothingInTime()]);
  } catch {
    // A database that is away has metrics of its own; a series that is missing says the same.
    return [];
  }
}

/**
 * The metrics of one process, by the names and in the text format of Prometheus. What a call counts
 * is kept in plain numbers, because the counters of the package cost a microsecond each.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly threads: (() => Promise<readonly object[]>)[] = [];

  /** Adds the metrics of the process and of Node.js. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** `name` ends with `_total`. */
  counts(name: string, help: string): Counts {
    const counts = new Counts();
    this.register(name, help, 'counter', () => counts.samples());
    return counts;
  }

  /** `bounds` in the unit that `name` ends with. */
  distributions(name: string, help: string, bounds: readonly number[]): Distributions {
    const distributions = new Distributions(bounds);
    this.register(name, help, 'histogram', () => distributions.samples());
    return distributions;
  }

  /**
   * Adds a metric that is read at each scrape. A read that fails or takes too long has no samples.
   */
  sampled(name: string, help: string, type: 'gauge' | 'counter', read: Read): void {
    this.register(name, help, type, () => inTime(read));
  }

  /** Adds what threads of this process collect, at each scrape. */
  addThreads(collect: () => Promise<readonly object[]>): void {
    this.threads.push(collect);
  }

  /** The text of these metrics, and of those that other processes have collected, added up. */
  async text(others: readonly object[] = []): Promise<string> {
    const threads = await Promise.all(this.threads.map((collect) => inTime(collect)));
    const beside = [...others, ...threads.flat()];
    if (beside.length === 0) return this.registry.metrics();
    const all = [await this.collect(), ...beside];
    return AggregatorRegistry.aggregate(all).metrics();
  }

  /** All metrics as plain data, for `text` of another process. */
  collect(): Promise<object> {
    return this.registry.getMetricsAsJSON();
  }

  private register(name: string, help: string, type: string, read: Read): void {
    const get = async () => {
      const samples = await read();
      const values = samples.map(({ labels, value, suffix = '' }) => ({
        labels,
        value,
        metricName: `${name}${suffix}`,
      }));
      return { name, help, type, values, aggregator: 'sum' };
    };
    // The registry asks no more of a metric than its name and `get`; its types know classes only.
    this.registry.registerMetric({ name, get } as unknown as Metric);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { quantile } from '../quantile.js';

/** How far the projections were behind the log while it was looked at, in milliseconds. */
export interface Lag {
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly samples: number;
}

/** Each look takes the database half a millisecond, which counts as the service's. */
const SAMPLE_MS = 100;

/**
 * Of all projections and lanes, the age of the oldest append that a projection has not applied.
 * 0 when all have applied everything.
 */
const OLDEST_UNAPPLIED = `
select coalesce(max(extract(epoch from clock_timestamp() - unapplied.committed_at) * 1000), 0)::float8
       as "lagMs"
  from lane l
  join checkpoint c on c.lane = l.lane and c.position < l.position
 cross join lateral (
   select b.committed_at from batch b
    where b.lane = l.lane and b.last_position > c.position
    order by b.last_position limit 1) unapplied`;

/** Looks ten times a second how far the projections are behind, until it is stopped. */
export class LagSampler {
  private readonly samples: number[] = [];
  private stopping = false;
  private readonly running: Promise<void>;

  private constructor(private readonly pool: pg.Pool) {
    this.running = this.run();
    // The caller that stops it gets the error.
    this.running.catch(() => undefined);
  }

  static start(pool: pg.Pool): LagSampler {
    return new LagSampler(pool);
  }

  async stop(): Promise<Lag> {
    this.stopping = true;
    await this.running;
    const { samples } = this;
    return {
      p99Ms: quantile(samples, 0.99),
      maxMs: Math.max(...samples),
      samples: samples.length,
    };
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const { rows } = await this.pool.query<{ lagMs: number }>({
        name: 'bench-lag',
        text: OLDEST_UNAPPLIED,
      });
      this.samples.push(rows[0]?.lagMs ?? 0);
      await delay(SAMPLE_MS);
    }
  }
}

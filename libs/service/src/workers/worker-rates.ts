import { MemoryRateLimits } from '#web/rates/memory-rate-limits.js';
import type { CallerRates, RateLimit, RateLimits, RateState } from '#web/rates/rate-limits.js';
import { rateState } from '#web/rates/rate-texts.js';
import type { Problem } from '#web/problem.js';
import { type CountsMessage, readCounts, takingMessage } from './rate-messages.js';

/** Requests that a worker has counted by itself. */
export type CountedRequests = readonly [limit: RateLimit, requests: number];

/** How a worker reaches its primary. */
export interface RatePrimary {
  ask<Answer>(name: string, body: unknown): Promise<Answer>;
}

/** How long the other workers may not know what this one has counted by itself. */
const REPORT_MS = 20;

/**
 * The rate limits of a worker. What callers with a valid key take is counted by the primary, so
 * that a limit holds over all workers to the request. What strangers take is counted here and
 * reported, so that a refusal never waits: their limit is exact in a worker, and all workers'
 * together after a moment.
 */
export class WorkerRates implements RateLimits {
  private readonly own = new MemoryRateLimits();
  private counted = new Map<string, CountedRequests>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly primary: RatePrimary) {}

  /** Counts of callers with a valid key. */
  readonly callers: CallerRates = {
    take: async (limits, requests = 1) => {
      const message = takingMessage({ limits, requests });
      const counts = await this.primary.ask<CountsMessage>('taking', message);
      return rateState(limits, readCounts(counts));
    },
  };

  take(limits: readonly RateLimit[], requests = 1): RateState {
    const state = this.own.take(limits, requests);
    if (state.refused === null) for (const limit of limits) this.report(limit, requests);
    return state;
  }

  refusal(limit: RateLimit, requests?: number): Problem | null {
    return this.own.refusal(limit, requests);
  }

  owe(limit: RateLimit, requests = 1): void {
    this.own.owe(limit, requests);
    this.report(limit, requests);
  }

  /** Takes in what other workers have counted. */
  hear(counted: readonly CountedRequests[]): void {
    for (const [limit, requests] of counted) this.own.owe(limit, requests);
  }

  private report(limit: RateLimit, requests: number): void {
    const name = `${limit.name} ${limit.id}`;
    const [, before] = this.counted.get(name) ?? [limit, 0];
    this.counted.set(name, [limit, before + requests]);
    this.timer ??= setTimeout(() => this.sendCounted(), REPORT_MS).unref();
  }

  private sendCounted(): void {
    const counted = [...this.counted.values()];
    this.counted = new Map();
    this.timer = undefined;
    // A report that is lost with the primary is lost with all that counts.
    this.primary.ask('counted', counted).catch(() => undefined);
  }
}

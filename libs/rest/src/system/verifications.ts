import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Terms } from '#account/decide-call.js';
import type { Clock } from '#calendar/clock.js';
import type { Projection } from '#event-log/projection.js';
import type { Threads } from '#projections/lane-threads/lane-threads.js';
import { verifyLog, type VerifyProgress } from '#projections/lane-threads/verify-log.js';
import { KeptVerifications } from './kept-verifications.js';
import type { VerificationState } from './log-tools.js';
import { verificationView } from './log-tools-view.js';
import type { Verification } from './system.schemas.js';

export interface VerificationsParts {
  readonly pool: pg.Pool;
  readonly projections: readonly Projection[];
  readonly terms: () => Terms;
  readonly clock: Clock;
  /** The key that encrypts the secrets of webhooks. */
  readonly webhookSecret?: string;
  /** Keep a long verification off the event loop of the service. */
  readonly threads?: Threads;
  readonly onFault: (error: unknown) => void;
}

/** Verifies the log in the background, once at a time, and keeps what was found. */
export class Verifications {
  private latest: VerificationState | null = null;
  private runId = '';
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  private readonly kept: KeptVerifications;

  constructor(private readonly parts: VerificationsParts) {
    this.kept = new KeptVerifications(parts.pool);
  }

  state(): VerificationState | null {
    return this.latest;
  }

  /** Those that have ended in any process, oldest first, and the one that runs in this one. */
  async all(): Promise<readonly Verification[]> {
    const kept = await this.kept.list();
    const all = kept.map(({ body }) => body);
    if (this.latest === null || kept.some(({ id }) => id === this.runId)) return all;
    return [...all, verificationView(this.latest)];
  }

  /** Begins one, unless one runs; answers at once. */
  start(): 'started' | 'busy' {
    if (this.latest?.state === 'running') return 'busy';
    this.runId = randomUUID();
    this.latest = {
      state: 'running',
      startedAt: this.parts.clock.now(),
      endedAt: null,
      progress: { lanes: 0, lanesTotal: 0, events: 0, eventsTotal: 0 },
      report: null,
      error: null,
    };
    this.running = this.run();
    return 'started';
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { pool, projections, terms, clock, threads, onFault } = this.parts;
    const { webhookSecret } = this.parts;
    const { signal } = this.stopping;
    try {
      const onProgress = (progress: VerifyProgress): void => this.change({ progress });
      const options = {
        onProgress,
        signal,
        ...(threads !== undefined && { threads }),
        ...(webhookSecret !== undefined && { webhookSecret }),
      };
      const report = await verifyLog(pool, projections, terms(), options);
      this.change({ state: 'done', endedAt: clock.now(), report });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.change({ state: 'failed', endedAt: clock.now(), error: text });
      if (signal.aborted) return;
      onFault(error);
    }
    if (this.latest === null) return;
    await this.kept.save(this.runId, verificationView(this.latest)).catch(onFault);
  }

  private change(changes: Partial<VerificationState>): void {
    if (this.latest !== null) this.latest = { ...this.latest, ...changes };
  }
}

import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import { rebuildToEnd } from '#event-log/bring-up-projection.js';
import type { FillProjections } from '#event-log/fill-projection.js';
import type { Projection } from '#event-log/projection.js';
import { outdatedProjections } from '#event-log/projection-state.js';
import type { RebuildProgress } from '#event-log/rebuild-projection.js';
import type { RebuildState } from './log-tools.js';

export interface RebuildsParts {
  readonly pool: pg.Pool;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  /** Keeps a long rebuild off the event loop of the service. */
  readonly fill?: FillProjections;
  /** Begins again what a projection stopped for. */
  readonly resume: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Rebuilds of projections in the background, each projection at most once at a time. */
export class Rebuilds {
  private readonly states = new Map<string, RebuildState>();
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: RebuildsParts) {}

  state(name: string): RebuildState | null {
    return this.states.get(name) ?? null;
  }

  /** Whether there is a projection of that name. */
  knows(name: string): boolean {
    return this.parts.projections.some((candidate) => candidate.name === name);
  }

  /** Begins one; answers at once. */
  start(name: string): 'started' | 'busy' | 'unknown' {
    const projection = this.parts.projections.find((candidate) => candidate.name === name);
    if (projection === undefined) return 'unknown';
    if (this.state(name)?.state === 'running') return 'busy';
    this.states.set(name, {
      state: 'running',
      stage: 'building',
      startedAt: this.parts.clock.now(),
      endedAt: null,
      events: 0,
      total: 0,
      error: null,
    });
    this.running = Promise.all([this.running, this.run(projection)]);
    return 'started';
  }

  /** Begins one for each projection whose rows an older version has made. */
  async startOutdated(): Promise<void> {
    const { pool, projections } = this.parts;
    for (const name of await outdatedProjections(pool, projections)) this.start(name);
  }

  /** Resolves when none runs; what serves stays as it is. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(projection: Projection): Promise<void> {
    const { pool, clock, fill, resume, onFault } = this.parts;
    const { name } = projection;
    try {
      const onProgress = ({ stage, events, total }: RebuildProgress): void =>
        this.change(name, { stage, events, total });
      const { signal } = this.stopping;
      const options = { onProgress, onOutage: onFault, signal, ...(fill && { fill }) };
      const { outcome } = await rebuildToEnd(pool, projection, options);
      const isBusy = outcome === 'busy';
      const error = isBusy ? 'Another process is rebuilding it.' : null;
      this.change(name, { state: isBusy ? 'failed' : 'done', endedAt: clock.now(), error });
      resume();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.change(name, { state: 'failed', endedAt: clock.now(), error: text });
      if (!this.stopping.signal.aborted) onFault(error);
    }
  }

  private change(name: string, changes: Partial<RebuildState>): void {
    const state = this.states.get(name);
    if (state !== undefined) this.states.set(name, { ...state, ...changes });
  }
}

import type pg from 'pg';
import type { AuditTerms } from '#account/audit.js';
import type { Terms } from '#account/decide-call.js';
import { withClient } from '#database/database.js';
import type { Projection } from '#event-log/projection.js';
import { parseResourcePath } from '#rating/resource-path.js';
import type { Resource } from '#rating/resource.js';
import { Findings, LaneFindings, type CheckResult } from './findings.js';
import { createReplayTables } from './replay-check.js';
import { verifyLane } from './verify-lane.js';

export interface VerifyProgress {
  readonly lanes: number;
  readonly lanesTotal: number;
  readonly events: number;
  /** Events in the log when it began. */
  readonly eventsTotal: number;
}

export interface VerifyOptions {
  /** Only this lane; all unless given. */
  readonly lane?: number;
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
  /** Lanes at once, each on a connection of its own. */
  readonly lanesAtOnce?: number;
}

export interface VerifyReport {
  /** Whether nothing differs. */
  readonly intact: boolean;
  readonly lanes: number;
  readonly events: number;
  readonly seconds: number;
  readonly checks: readonly CheckResult[];
}

const KEPT_KEYS_MAX = 50_000;
const NEVER = new AbortController().signal;

/**
 * Proves that log, projections and second truth belong together, or names what differs. Each lane is
 * looked at in one snapshot of its own, while the service goes on. In memory are the accounts and
 * opened keys of the lanes under way, and the hashes of all API keys. The pool needs a connection
 * for each of `lanesAtOnce`.
 */
export async function verifyLog(
  pool: pg.Pool,
  projections: readonly Projection[],
  terms: Terms,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  return new Verification(pool, projections, terms, options).run();
}

class Verification {
  private readonly findings = new Findings();
  private readonly apiKeys = new Map<string, string>();
  private readonly audit: AuditTerms;
  private progress: VerifyProgress = { lanes: 0, lanesTotal: 0, events: 0, eventsTotal: 0 };

  constructor(
    private readonly pool: pg.Pool,
    private readonly projections: readonly Projection[],
    terms: Terms,
    private readonly options: VerifyOptions,
  ) {
    this.audit = { ...terms, resourceOf: rememberedResources() };
  }

  async run(): Promise<VerifyReport> {
    const startedAt = performance.now();
    const { rows } = await this.pool.query<{ lane: number; position: number }>(
      'select lane, position from lane where $1::int is null or lane = $1 order by lane',
      [this.options.lane ?? null],
    );
    const lanes = rows.map(({ lane }) => lane);
    const eventsTotal = rows.reduce((sum, { position }) => sum + position, 0);
    this.tell({ lanesTotal: lanes.length, eventsTotal });
    const atOnce = Math.max(1, Math.min(this.options.lanesAtOnce ?? 2, lanes.length));
    await Promise.all(Array.from({ length: atOnce }, () => this.work(lanes)));
    const checks = this.findings.results();
    const seconds = (performance.now() - startedAt) / 1_000;
    const intact = checks.every(({ differences }) => differences === 0);
    return { intact, lanes: this.progress.lanes, events: this.progress.events, seconds, checks };
  }

  private async work(lanes: number[]): Promise<void> {
    await withClient(this.pool, async (client) => {
      await createReplayTables(client, this.projections);
      try {
        for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
          await this.lane(client, lane);
        }
      } finally {
        await discard(client);
      }
    });
  }

  private async lane(client: pg.PoolClient, lane: number): Promise<void> {
    const { signal = NEVER } = this.options;
    await client.query('begin isolation level repeatable read');
    try {
      const apiKeys = await verifyLane(client, {
        projections: this.projections,
        terms: this.audit,
        findings: new LaneFindings(this.findings, lane),
        onEvents: (events) => {
          signal.throwIfAborted();
          this.tell({ events: this.progress.events + events });
        },
      });
      for (const { position, hash } of apiKeys) this.addApiKey(lane, position, hash);
    } finally {
      await client.query('rollback');
    }
    this.tell({ lanes: this.progress.lanes + 1 });
  }

  private addApiKey(lane: number, position: number, hash: string): void {
    const at = `lane ${lane}, position ${position}`;
    const other = this.apiKeys.get(hash);
    this.apiKeys.set(hash, at);
    if (other === undefined) return;
    const expected = 'a hash of its own';
    this.findings.add('api-keys', lane, { table: 'event', key: at, expected, found: other });
  }

  private tell(changes: Partial<VerifyProgress>): void {
    this.progress = { ...this.progress, ...changes };
    this.options.onProgress?.(this.progress);
  }
}

/** The connection goes back to its pool as it came; one that broke is thrown away anyway. */
async function discard(client: pg.ClientBase): Promise<void> {
  await client.query('discard temp').catch(() => undefined);
}

/** Most calls repeat a key: what it names is worked out once. */
function rememberedResources(): (key: string) => Resource | undefined {
  const kept = new Map<string, Resource | undefined>();
  return (key) => {
    if (kept.has(key)) return kept.get(key);
    if (kept.size >= KEPT_KEYS_MAX) kept.clear();
    const parsed = parseResourcePath(key);
    const resource = parsed.outcome === 'resource' ? parsed.resource : undefined;
    kept.set(key, resource);
    return resource;
  };
}

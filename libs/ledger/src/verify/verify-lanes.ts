import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { withClient } from '#database/database.js';
import type { Projection } from '#event-log/projection.js';
import { resourceOfKey } from '#rating/resource-path.js';
import type { Resource } from '#rating/resource.js';
import { createReplayTables } from './replay-check.js';
import { verifyLane, type LaneReport } from './verify-lane.js';

export interface LanesParts {
  readonly pool: pg.Pool;
  readonly projections: readonly Projection[];
  readonly calendar: Calendar;
  /** The key that encrypts the secrets of webhooks; null: not known here. */
  readonly webhookSecret: string | null;
  /** The lanes to verify; several may take from the same ones. */
  readonly lanes: Iterable<number> | AsyncIterable<number>;
  /** Called with the number of events of each page; ends the verification by throwing. */
  readonly onEvents: (events: number) => void;
  readonly onReport: (report: LaneReport) => void;
}

const KEPT_KEYS_MAX = 50_000;

/** Verifies lanes one after the other on one connection, each in one snapshot of its own. */
export async function verifyLanes(parts: LanesParts): Promise<void> {
  const { pool, projections, calendar, webhookSecret, lanes } = parts;
  const { onEvents, onReport } = parts;
  const terms = { calendar, resourceOf: rememberedResources() };
  await withClient(pool, async (client) => {
    await createReplayTables(client, projections);
    try {
      for await (const lane of lanes) {
        await client.query('begin isolation level repeatable read');
        try {
          const of = { lane, projections, terms, webhookSecret, onEvents };
          onReport(await verifyLane(client, of));
        } finally {
          await client.query('rollback');
        }
      }
    } finally {
      await discard(client);
    }
  });
}

/** The connection goes back to its pool as it came; one that broke is thrown away anyway. */
async function discard(client: pg.ClientBase): Promise<void> {
  await client.query('reset search_path').catch(() => undefined);
  await client.query('discard temp').catch(() => undefined);
}

/** Most calls repeat a key: what it names is worked out once. */
function rememberedResources(): (key: string) => Resource | undefined {
  const kept = new Map<string, Resource | undefined>();
  return (key) => {
    if (kept.has(key)) return kept.get(key);
    if (kept.size >= KEPT_KEYS_MAX) kept.clear();
    const resource = resourceOfKey(key);
    kept.set(key, resource);
    return resource;
  };
}

import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { withClient } from '#database/database.js';
import { codeOf, isUnreadable } from '#database/errors.js';
import type { Projection } from '#event-log/projection.js';
import { resourceOfKey } from '#rating/resource-key.js';
import type { NamedResource } from '#rating/named-resource.js';
import { createReplayTables } from './replay-check.js';
import { verifyLane, type LaneParts, type LaneReport } from './verify-lane.js';

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

/** The page that was read ahead may fail before anybody waits for it. */
const AFTER_AN_ERROR = '25P02';
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
        const of = { lane, projections, terms, webhookSecret };
        onReport(await verifyReadable(client, of, onEvents));
      }
    } finally {
      await discard(client);
    }
  });
}

/** A lane with what cannot be read is verified again, with more care and less speed. */
async function verifyReadable(
  client: pg.ClientBase,
  parts: Omit<LaneParts, 'onEvents' | 'isDamaged'>,
  onEvents: LaneParts['onEvents'],
): Promise<LaneReport> {
  let seen = 0;
  const count = (events: number): void => {
    seen += events;
    onEvents(events);
  };
  try {
    return await inSnapshot(client, { ...parts, onEvents: count, isDamaged: false });
  } catch (error) {
    if (!isUnreadable(error) && codeOf(error) !== AFTER_AN_ERROR) throw error;
    onEvents(-seen);
    return inSnapshot(client, { ...parts, onEvents, isDamaged: true });
  }
}

async function inSnapshot(client: pg.ClientBase, parts: LaneParts): Promise<LaneReport> {
  await client.query('begin isolation level repeatable read');
  try {
    return await verifyLane(client, parts);
  } finally {
    await client.query('rollback');
  }
}

/** The connection goes back to its pool as it came; one that broke is thrown away anyway. */
async function discard(client: pg.ClientBase): Promise<void> {
  await client.query('reset search_path').catch(() => undefined);
  await client.query('discard temp').catch(() => undefined);
}

/** Most calls repeat a key: what it names is worked out once. */
function rememberedResources(): (key: string) => NamedResource | undefined {
  const kept = new Map<string, NamedResource | undefined>();
  return (key) => {
    if (kept.has(key)) return kept.get(key);
    if (kept.size >= KEPT_KEYS_MAX) kept.clear();
    const resource = resourceOfKey(key);
    kept.set(key, resource);
    return resource;
  };
}

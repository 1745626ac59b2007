import type pg from 'pg';
import type { AuditTerms } from '#account/audit.js';
import { SYSTEM_LANE, type LaneEnd } from '#event-log/event-log.js';
import type { Projection } from '#event-log/projection.js';
import { ChainCheck } from './chain-check.js';
import { ChargeCheck, type Named } from './charge-check.js';
import type { LaneFindings } from './findings.js';
import { readLane } from './lane-pages.js';
import { checkCallIds, checkCorrections, checkProfiles } from './lookups.js';
import { ReplayCheck } from './replay-check.js';

interface Checkpoint {
  readonly projection: string;
  readonly position: number;
  readonly version: number;
}

export interface LaneParts {
  readonly projections: readonly Projection[];
  readonly terms: AuditTerms;
  readonly findings: LaneFindings;
  /** Told how many events each page had; ends the verification by throwing. */
  readonly onEvents: (events: number) => void;
}

/**
 * Checks all of one lane inside the caller's REPEATABLE READ transaction, in which the tables of
 * `createReplayTables` are empty. Answers the API keys it found, to be compared over all lanes.
 */
export async function verifyLane(
  client: pg.ClientBase,
  parts: LaneParts,
): Promise<Named['apiKeys']> {
  const { findings, onEvents } = parts;
  const end = await readEnd(client, findings);
  const chains = new ChainCheck(findings);
  const charges = new ChargeCheck(findings, parts.terms);
  const replays = await startReplays(client, parts, end);
  for await (const page of readLane(client, findings.lane)) {
    for (const entry of page) {
      chains.add(entry);
      if (findings.lane !== SYSTEM_LANE) charges.add(entry.stored);
    }
    const events = page.map(({ stored }) => stored);
    for (const replay of replays) await replay.add(events);
    onEvents(events.length);
  }
  chains.end(end, await countBatches(client, findings.lane));
  charges.end();
  for (const replay of replays) await replay.end();
  await checkCallIds(client, findings);
  await checkProfiles(client, charges.named, findings);
  await checkCorrections(client, charges.named, findings);
  return charges.named.apiKeys;
}

async function readEnd(client: pg.ClientBase, findings: LaneFindings): Promise<LaneEnd> {
  const { rows } = await client.query<LaneEnd>(
    'select lane, position, head from lane where lane = $1',
    [findings.lane],
  );
  const [end] = rows;
  if (end !== undefined) return end;
  const key = `lane ${findings.lane}`;
  findings.add('positions', { table: 'lane', key, expected: 'a row', found: null });
  return { lane: findings.lane, position: 0, head: Buffer.alloc(0) };
}

async function countBatches(client: pg.ClientBase, lane: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*) as count from batch where lane = $1',
    [lane],
  );
  return rows[0]?.count ?? 0;
}

async function startReplays(
  client: pg.ClientBase,
  { projections, findings }: LaneParts,
  end: LaneEnd,
): Promise<ReplayCheck[]> {
  const { rows } = await client.query<Checkpoint>(
    'select projection, position, version from checkpoint where lane = $1',
    [findings.lane],
  );
  return projections.flatMap((projection) => {
    const { name, version } = projection;
    const found = rows.find((row) => row.projection === name);
    const isRight =
      found !== undefined && found.version === version && found.position <= end.position;
    if (!isRight) {
      const key = `projection ${name}, lane ${findings.lane}`;
      const expected = { version, position: `at most ${end.position}` };
      const row = found && { version: found.version, position: found.position };
      findings.add('checkpoints', { table: 'checkpoint', key, expected, found: row ?? null });
    }
    const isComparable = found === undefined || found.version === version;
    const position = found?.position ?? 0;
    return isComparable ? [new ReplayCheck(client, findings, projection, position)] : [];
  });
}

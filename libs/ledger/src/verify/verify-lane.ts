import type pg from 'pg';
import type { AuditTerms } from '#account/audit.js';
import { readDamage } from '#event-log/damaged-accounts.js';
import { SYSTEM_LANE, type LaneEnd } from '#event-log/event-log.js';
import type { Projection } from '#event-log/projection.js';
import { BooksCheck } from './books-check.js';
import { ChainCheck } from './chain-check.js';
import { ChargeCheck, type Named } from './charge-check.js';
import { DocumentCheck } from './document-check.js';
import { LaneFindings, type LaneDifference } from './findings.js';
import { readLane } from './lane-pages.js';
import { checkCallIds, checkCorrections, checkProfiles } from './lookups.js';
import { readPublishedCards } from './published-cards.js';
import { ReceivablesCheck } from './receivables-check.js';
import { ReplayCheck } from './replay-check.js';
import { SystemCheck } from './system-check.js';

interface Checkpoint {
  readonly projection: string;
  readonly position: number;
  readonly version: number;
}

/** Findings in a lane, as plain data: they may come from another thread. */
export interface LaneReport {
  readonly lane: number;
  readonly differences: readonly LaneDifference[];
  /** To be compared with those of the other lanes. */
  readonly apiKeys: Named['apiKeys'];
  /** Sentences about what could not be looked at. */
  readonly notCovered: readonly string[];
}

export interface LaneParts {
  readonly lane: number;
  readonly projections: readonly Projection[];
  /** All but the rate cards, which are read beside the lane. */
  readonly terms: Omit<AuditTerms, 'cards'>;
  /** The key that encrypts the secrets of webhooks; null: not known here. */
  readonly webhookSecret: string | null;
  /** Called with the number of events of each page; ends the verification by throwing. */
  readonly onEvents: (events: number) => void;
}

/**
 * Checks all of one lane inside the caller's REPEATABLE READ transaction, in which the tables of
 * `createReplayTables` are empty. Each event is parsed, hashed and evolved once for all checks.
 */
export async function verifyLane(client: pg.ClientBase, parts: LaneParts): Promise<LaneReport> {
  const { lane, onEvents } = parts;
  const findings = new LaneFindings(lane);
  const end = await readEnd(client, findings);
  const chains = new ChainCheck(findings);
  const cards = await readPublishedCards(client);
  const charges = new ChargeCheck(findings, { ...parts.terms, cards });
  const books = new BooksCheck(findings, parts.terms.calendar);
  const receivables = new ReceivablesCheck(findings);
  const documents = new DocumentCheck(findings);
  const system = new SystemCheck(findings, parts.webhookSecret);
  const replays = await startReplays(client, parts.projections, findings, end);
  for await (const page of readLane(client, lane)) {
    for (const position of page.unhashed) {
      findings.event('moments', position, 'whole milliseconds', 'microseconds beside them');
    }
    for (const stored of page.events) {
      documents.add(stored);
      const head = chains.add(stored, page.batches.get(stored.position));
      if (lane === SYSTEM_LANE) system.add(stored);
      const walked = lane === SYSTEM_LANE ? stored : charges.add(stored, head);
      books.add(walked);
      receivables.add(walked);
      for (const replay of replays) replay.add(walked);
    }
    for (const replay of replays) await replay.writeMany();
    onEvents(page.events.length);
  }
  chains.end(end, await countBatches(client, lane));
  charges.end();
  receivables.end();
  for (const replay of replays) await replay.end();
  await documents.end(client);
  await checkCallIds(client, findings);
  await checkProfiles(client, charges.named, findings);
  await checkCorrections(client, charges.named, findings);
  const notCovered = await system.end(client);
  return { lane, differences: findings.differences(), apiKeys: charges.named.apiKeys, notCovered };
}

async function readEnd(client: pg.ClientBase, findings: LaneFindings): Promise<LaneEnd> {
  const { rows } = await client.query<LaneEnd>(
    `select lane, position, encode(head, 'hex') as head from lane where lane = $1`,
    [findings.lane],
  );
  const [end] = rows;
  if (end !== undefined) return end;
  const key = `lane ${findings.lane}`;
  findings.add('positions', { table: 'lane', key, expected: 'a row', found: null });
  return { lane: findings.lane, position: 0, head: '' };
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
  projections: readonly Projection[],
  findings: LaneFindings,
  end: LaneEnd,
): Promise<ReplayCheck[]> {
  const { rows } = await client.query<Checkpoint>(
    'select projection, position, version from checkpoint where lane = $1',
    [findings.lane],
  );
  const damage = await readDamage(client, { lane: findings.lane });
  for (const { projection, lane, position, version, accountId, error } of damage) {
    const key = `lane ${lane}, position ${position}, account ${accountId}, version ${version}`;
    const expected = `an event that projection ${projection} can apply`;
    findings.add('accounts', { table: 'event', key, expected, found: error });
  }
  return projections.flatMap((projection) => {
    const { name, version } = projection;
    const own = damage.filter((row) => row.projection === name);
    const left = new Map(own.map(({ accountId, position }) => [accountId, position]));
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
    return isComparable ? [new ReplayCheck(client, findings, projection, position, left)] : [];
  });
}

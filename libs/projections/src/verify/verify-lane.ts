import type pg from 'pg';
import type { AuditTerms } from '#account/audit.js';
import { readDamage } from '#event-log/damaged-accounts.js';
import { SYSTEM_LANE, type LaneEnd } from '#event-log/event-log.js';
import type { RateCard } from '#rating/rate-card.js';
import type { Projection } from '#event-log/projection.js';
import { BooksCheck } from './books-check.js';
import { ChainCheck } from './chain-check.js';
import { ChargeCheck, type NamedReferences } from './charge-check.js';
import { DocumentCheck } from './document-check.js';
import { LaneFindings, type LaneDifference } from './findings.js';
import { readDamagedLane, readLane } from './lane-pages.js';
import { checkCallIds, checkCorrections, checkProfiles } from './lookups.js';
import { readPublishedCards } from './published-cards.js';
import { ReceivablesCheck } from './receivables-check.js';
import { ReplayCheck } from './replay-check.js';
import { SystemCheck } from './system-check.js';
import { readIfPossible, readOrReport } from './unreadable.js';

interface Checkpoint {
  readonly projection: string;
  readonly position: number;
  readonly version: number;
}

interface LaneCheck {
  readonly replays: readonly ReplayCheck[];
  /** Sentences about projections that have never been built. */
  readonly notBegun: readonly string[];
}

/** Findings in a lane, as plain data: they may come from another thread. */
export interface LaneReport {
  readonly lane: number;
  readonly differences: readonly LaneDifference[];
  /** To be compared with those of the other lanes. */
  readonly apiKeys: NamedReferences['apiKeys'];
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
  /** Makes findings of pages that the database cannot read; without it their error is thrown. */
  readonly isDamaged: boolean;
}

/**
 * Checks all of one lane inside the caller's REPEATABLE READ transaction, in which the tables of
 * `createReplayTables` are empty. Each event is parsed, hashed and evolved once for all checks.
 */
export async function verifyLane(client: pg.ClientBase, parts: LaneParts): Promise<LaneReport> {
  const { lane, onEvents, isDamaged } = parts;
  const findings = new LaneFindings(lane);
  if (isDamaged) await readByIndexes(client);
  const read = <Result>(table: string, work: () => Promise<Result>): Promise<Result | undefined> =>
    isDamaged ? readOrReport(client, findings, { table }, work) : work();
  const end = await read('lane', () => readEnd(client, findings));
  const chains = new ChainCheck(findings);
  // Without the cards no price can be checked.
  const cards = await cardsOf(client, isDamaged);
  const charges = new ChargeCheck(findings, { ...parts.terms, cards: cards ?? [] });
  const books = new BooksCheck(findings, parts.terms.calendar);
  const receivables = new ReceivablesCheck(findings);
  const documents = new DocumentCheck(findings);
  const system = new SystemCheck(findings, parts.webhookSecret);
  const { projections } = parts;
  const upTo = end?.position ?? Number.MAX_SAFE_INTEGER;
  const started = await read('checkpoint', () => startReplays(client, projections, findings, upTo));
  const { replays, notBegun } = started ?? { replays: [], notBegun: [] };
  const unreadable: number[] = [];
  const pages = isDamaged
    ? readDamagedLane(client, findings, upTo, unreadable)
    : readLane(client, lane);
  for await (const page of pages) {
    for (const position of page.unhashed) {
      findings.event('moments', position, 'whole milliseconds', 'microseconds beside them');
    }
    for (const stored of page.events) {
      documents.add(stored);
      const head = chains.add(stored, page.batches.get(stored.position));
      if (lane === SYSTEM_LANE) system.add(stored);
      if (cards === undefined) continue;
      const walked = lane === SYSTEM_LANE ? stored : charges.add(stored, head);
      books.add(walked);
      receivables.add(walked);
      for (const replay of replays) replay.add(walked);
    }
    for (const replay of replays) await replay.writeMany();
    onEvents(page.events.length);
  }
  const batches = await read('batch', () => countBatches(client, lane));
  if (end !== undefined && batches !== undefined) chains.end(end, batches);
  charges.end();
  receivables.end();
  if (cards !== undefined) {
    for (const replay of replays) await read(replay.name, () => replay.end());
  }
  await read('document', () => documents.end(client));
  await read('event', () => checkCallIds(client, findings));
  await read('profile', () => checkProfiles(client, charges.named, findings));
  await read('event', () => checkCorrections(client, charges.named, findings));
  const left = await read('release_load', () => system.end(client));
  const notCovered = [
    ...unreadableNotes(lane, unreadable),
    ...(cards === undefined ? [NO_CARDS] : []),
    ...notBegun,
    ...(left ?? []),
  ];
  return { lane, differences: findings.differences(), apiKeys: charges.named.apiKeys, notCovered };
}

const NO_CARDS =
  'The database cannot read the rate cards of lane 0: no charge, balance or row of a projection was checked.';

/** Undefined where the database cannot read them, which is a finding in their own lane. */
async function cardsOf(
  client: pg.ClientBase,
  isDamaged: boolean,
): Promise<readonly RateCard[] | undefined> {
  if (!isDamaged) return readPublishedCards(client);
  const read = await readIfPossible(client, () => readPublishedCards(client));
  return 'result' in read ? read.result : undefined;
}

/** A sentence that names all positions: the finding names the first. */
function unreadableNotes(lane: number, positions: readonly number[]): string[] {
  const [first] = positions;
  if (first === undefined) return [];
  const ranges: string[] = [];
  for (let from = 0, at = 0; at < positions.length; at += 1) {
    const [start, end = 0] = [positions[from], positions[at]];
    if (positions[at + 1] === end + 1) continue;
    ranges.push(start === end ? String(end) : `${start} to ${end}`);
    from = at + 1;
  }
  return [`Lane ${lane}: the database cannot read the events at ${ranges.join(', ')}.`];
}

/** Other ways than indexes read pages of other lanes, too. */
async function readByIndexes(client: pg.ClientBase): Promise<void> {
  for (const way of ['seqscan', 'bitmapscan', 'sort']) {
    await client.query(`set local enable_${way} = off`);
  }
  // A statement that was prepared goes the way that was planned for it.
  await client.query('set local plan_cache_mode = force_custom_plan');
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
  endsAt: number,
): Promise<LaneCheck> {
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
  const begun = await begunProjections(client);
  const isBegun = ({ name }: Projection): boolean => begun.has(name);
  const notBegun = projections
    .filter((projection) => !isBegun(projection))
    .map(({ name }) => `Projection ${name} is not begun: the service builds it when it starts.`);
  const replays = projections.flatMap((projection) => {
    const { name, version } = projection;
    const own = damage.filter((row) => row.projection === name);
    const left = new Map(own.map(({ accountId, position }) => [accountId, position]));
    const found = rows.find((row) => row.projection === name);
    const isRight = found !== undefined && found.version === version && found.position <= endsAt;
    if (!isRight && isBegun(projection)) {
      const key = `projection ${name}, lane ${findings.lane}`;
      const expected = { version, position: `at most ${endsAt}` };
      const row = found && { version: found.version, position: found.position };
      findings.add('checkpoints', { table: 'checkpoint', key, expected, found: row ?? null });
    }
    const isComparable = found === undefined || found.version === version;
    const position = found?.position ?? 0;
    return isComparable ? [new ReplayCheck(client, findings, projection, position, left)] : [];
  });
  return { replays, notBegun };
}

/** Names of the projections that stand in some lane: the others have never been built. */
async function begunProjections(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ projection: string }>(
    'select distinct projection from checkpoint',
  );
  return new Set(rows.map(({ projection }) => projection));
}

import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { toHash } from './profile-hash.js';
import type { LaneFindings } from './findings.js';
import type { NamedReferences } from './charge-check.js';

interface ProfileRow {
  readonly id: string;
  readonly body: string;
  readonly sha256: Buffer;
}

const IDS_PER_QUERY = 1_000;

function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += IDS_PER_QUERY)
    yield items.slice(at, at + IDS_PER_QUERY);
}

/** No index is trusted to have kept them apart: they are counted. */
export async function checkCallIds(client: pg.ClientBase, findings: LaneFindings): Promise<void> {
  const { rows } = await client.query<{ id: string; positions: number[]; total: number }>({
    name: 'verify-call-ids',
    text: `select call_id as id, array_agg(position::float8 order by position) as positions,
                  count(*) over ()::int as total
             from event where lane = $1 and call_id is not null
            group by call_id having count(*) > 1 order by min(position) limit 1`,
    values: [findings.lane],
  });
  const [first] = rows;
  if (first === undefined) return;
  const key = `lane ${findings.lane}, call id ${first.id}`;
  const found = { positions: first.positions };
  findings.add('call-ids', { table: 'event', key, expected: 'one event', found }, first.total);
}

/** Content of an erased row. */
const BLANK = '{}';

/**
 * The rows of personal texts that events name. Their bytes count, and what the event says; of an
 * erased one nothing may be left.
 */
export async function checkProfiles(
  client: pg.ClientBase,
  { profiles, erased }: Pick<NamedReferences, 'profiles' | 'erased'>,
  findings: LaneFindings,
): Promise<void> {
  for (const slice of slices(profiles)) {
    const { rows } = await client.query<ProfileRow>({
      name: 'verify-profiles',
      text: 'select id, body::text as body, sha256 from profile where id = any ($1::uuid[])',
      values: [slice.map(({ reference }) => reference.id)],
    });
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { position, reference } of slice) {
      const row = byId.get(reference.id);
      const hashes = row === undefined ? [] : [toHash(row.body), row.sha256.toString('hex')];
      const wrong = hashes.find((hash) => hash !== reference.sha256);
      const isErased = erased.has(reference.id);
      const isBlank = row === undefined || row.body === BLANK;
      const isIntact = row !== undefined && wrong === undefined;
      if (isErased ? isBlank : isIntact) continue;
      const key = `id ${reference.id}, named in lane ${findings.lane} at position ${position}`;
      const found = row === undefined ? null : { sha256: wrong ?? reference.sha256 };
      const expected = isErased ? `a blank row, ${BLANK}` : { sha256: reference.sha256 };
      findings.add('profiles', { table: 'profile', key, expected, found });
    }
  }
}

/** Calls that were given back: each exists, was made by this account's lane, and is named once. */
export async function checkCorrections(
  client: pg.ClientBase,
  { corrections }: NamedReferences,
  findings: LaneFindings,
): Promise<void> {
  const seen = new Set<string>();
  for (const slice of slices(corrections)) {
    const { rows } = await client.query<EventRow>({
      name: 'verify-corrections',
      text: `select ${EVENT_COLUMNS} from event e
              where e.lane = $1 and e.call_id = any ($2::uuid[]) and e.type = 'CallMade'`,
      values: [findings.lane, slice.map(({ callId }) => callId)],
    });
    const calls = rows.map(toStoredEvent);
    const charged = new Map(calls.map(({ callId, data }) => [callId, chargeOf(data)]));
    for (const { position, callId, credits } of slice) {
      const most = seen.has(callId) ? 0 : (charged.get(callId) ?? 0);
      seen.add(callId);
      if (credits >= 1 && credits <= most) continue;
      const expected = `at most ${most} credits for call ${callId}`;
      findings.event('corrections', position, expected, credits);
    }
  }
}

function chargeOf(data: string): number {
  const { cost } = JSON.parse(data) as CallMade;
  return cost[0] + cost[1];
}

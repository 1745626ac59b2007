import type pg from 'pg';
import { formatMoment } from '#calendar/instant.js';
import type { PortalSessionOpened } from '#account/portal-session-events.js';
import type { EventLog } from '#event-log/event-log.js';
import { BadCursorError, type Page } from '#ledger/account-reads.js';
import { AUDIT } from '#ledger/audit.projection.js';
import { decodePlace, encodePlace } from '#ledger/cursor.js';
import { readable } from '#ledger/texts/readable.js';
import { isUuid } from '#web/uuid.js';
import { lagAfterWait } from '../accounts/projection-lag.js';
import type { ProjectionProgress } from '../accounts/ports.js';
import { OWNER } from '../admin-tokens/admin-door.js';
import type { AdminTokens } from '../admin-tokens/admin-tokens.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditQuery } from './audit-query.js';

export type AuditFilter = Omit<AuditQuery, 'after' | 'limit'>;

interface AuditRow {
  readonly lane: number;
  readonly position: number;
  /** Ms since 1970. */
  readonly at: number;
  readonly account_id: string | null;
  readonly type: string;
  readonly token_id: string | null;
  readonly data: string;
}

const PLACE = /^\d{1,15}$/;

/** Who changed what, when and why: rows say where, the log says what. */
export class AuditReads {
  constructor(
    private readonly pool: pg.Pool,
    private readonly log: EventLog,
    private readonly progress: ProjectionProgress,
    private readonly tokens: Pick<AdminTokens, 'names'>,
  ) {}

  /** Waits for what stood in the log; answers how many events may be missing nevertheless. */
  async lag(): Promise<number> {
    return lagAfterWait(this.log, this.progress, AUDIT);
  }

  /** By moment, then place in the log. A cursor names an entry. Throws BadCursorError. */
  async page(filter: AuditFilter, after: string | null, limit: number): Promise<Page<AuditEntry>> {
    const rows = await this.read(filter, after === null ? null : decodeEntry(after), limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { items: await this.show(shown), next: last === undefined ? null : encodeEntry(last) };
  }

  private async read(
    { by, account_id, from, to, order }: AuditFilter,
    place: readonly number[] | null,
    limit: number,
  ): Promise<AuditRow[]> {
    const [at = null, lane = null, position = null] = place ?? [];
    const { rows } = await this.pool.query<AuditRow>(statement(order, place !== null), [
      limit,
      by ?? null,
      account_id ?? null,
      from ?? null,
      to ?? null,
      ...(place === null ? [] : [at, lane, position]),
    ]);
    return rows;
  }

  private async show(rows: readonly AuditRow[]): Promise<AuditEntry[]> {
    const tokens = await this.tokens.names(rows.flatMap(({ token_id }) => token_id ?? []));
    const names = new Map([...tokens, ...(await this.portalNames(rows))]);
    const told = await readable(this.pool, rows);
    return told.map((row) => entryOf(row, nameOf(row.token_id, names)));
  }

  /** Whoever changed something of an account in its portal, by the session that the change names. */
  private async portalNames(rows: readonly AuditRow[]): Promise<(readonly [string, string])[]> {
    const ids = new Map(
      rows.flatMap(({ lane, account_id: account, token_id: id }) =>
        account !== null && id !== null && isUuid(id) ? [[id, lane] as const] : [],
      ),
    );
    if (ids.size === 0) return [];
    const sessions = await this.log.findCalls([...ids].map(([callId, lane]) => ({ lane, callId })));
    return sessions.flatMap(({ type, callId, data }) => {
      if (type !== 'PortalSessionOpened' || callId === null) return [];
      const { role } = JSON.parse(data) as PortalSessionOpened;
      return [[callId, `a ${role} in the portal`] as const];
    });
  }
}

const MOMENT = (parameter: string): string =>
  `'epoch'::timestamptz + ${parameter}::float8 * interval '1 ms'`;

/** The order of the entries is that of an index, whichever filter there is. */
function statement(order: AuditFilter['order'], goesOn: boolean): string {
  const after = order === 'asc' ? '>' : '<';
  const place = `and (a.at, a.lane, a.position) ${after} (${MOMENT('$6')}, $7::int2, $8::int8)`;
  return `select a.lane, a.position, (extract(epoch from a.at) * 1000)::int8 as at, a.account_id,
                 a.type, a.token_id, e.data::text as data
            from (select * from audit_entry a
                   where ($2::text is null or a.token_id = $2)
                     and ($3::uuid is null or a.account_id = $3)
                     and ($4::float8 is null or a.at >= ${MOMENT('$4')})
                     and ($5::float8 is null or a.at < ${MOMENT('$5')})
                     ${goesOn ? place : ''}
                   order by a.at ${order}, a.lane ${order}, a.position ${order} limit $1) a
            join event e on e.lane = a.lane and e.position = a.position
           order by a.at ${order}, a.lane ${order}, a.position ${order}`;
}

function entryOf(row: AuditRow, name: string | null): AuditEntry {
  const {
    by: _by,
    request,
    input: _input,
    reason,
    ...data
  } = JSON.parse(row.data) as Readonly<Record<string, unknown>>;
  return {
    at: formatMoment(row.at),
    by: row.token_id,
    by_name: name,
    type: row.type,
    account_id: row.account_id,
    reason: textOf(reason),
    request_id: textOf(request),
    lane: row.lane,
    position: row.position,
    data,
  };
}

function nameOf(tokenId: string | null, names: ReadonlyMap<string, string>): string | null {
  if (tokenId === null) return null;
  return tokenId === OWNER ? 'ADMIN_TOKEN' : (names.get(tokenId) ?? null);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function encodeEntry({ at, lane, position }: AuditRow): string {
  return encodePlace(AUDIT, [at, lane, position].map(String));
}

function decodeEntry(cursor: string): readonly number[] {
  const place = decodePlace(AUDIT, 3, cursor);
  if (!place.every((part) => PLACE.test(part))) throw new BadCursorError(cursor);
  if (Number(place[1]) > 64) throw new BadCursorError(cursor);
  return place.map(Number);
}

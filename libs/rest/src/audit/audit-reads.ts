import type pg from 'pg';
import { formatMoment } from '#calendar/instant.js';
import type { ApiKeyIssued } from '#account/api-keys.js';
import type { PortalSessionOpened } from '#account/portal-sessions.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import { BadCursorError } from '#web/read-errors.js';
import { type Page } from '#projections/views/account-reads.js';
import { AUDIT } from '#projections/projections/audit.projection.js';
import { readAccountNames } from '#projections/reads/account-names.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import { readable } from '#projections/texts/readable.js';
import { isUuid } from '#web/uuid.js';
import { pagedList, type List } from '#web/table-answer.js';
import { OWNER } from '../operation/operator.js';
import type { ActorNames } from '../operators/actor-names.js';
import type { AuditQuery } from './audit-query.js';
import type { AuditEntry } from './audit.schemas.js';
import { auditStatements, SIGN_INS_LANE } from './audit-statement.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';

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
  /** Ms since 1970; null: counted sign-ins. */
  readonly account_at: number | null;
}

/** A whole list is read this many entries at a time. */
const BATCH_ROWS = 1_000;
const PLACE = /^\d{1,15}$/;

/** Counted sign-ins as types of the audit, which are named as those of events. */
const SIGN_IN_TYPES: Readonly<Record<string, string>> = {
  'signed-in': 'SignedIn',
  'sign-in-failed': 'SignInFailed',
  'role-denied': 'RoleDenied',
};

/** Who changed what, when and why: rows say where, the log says what. And who signed in. */
export class AuditReads {
  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Pick<EventLog, 'findCalls'>,
    private readonly actors: Pick<ActorNames, 'names'>,
    /** Sign-ins that this process has counted. */
    private readonly signIns: { flush(): Promise<void> },
  ) {}

  /** By moment, then place in the log, with the sign-ins that this process has counted so far. */
  async list(filter: AuditFilter, after: string | null): Promise<List<AuditEntry>> {
    await this.signIns.flush();
    return pagedList(after, BATCH_ROWS, (place, limit) => this.page(filter, place, limit));
  }

  /** A cursor names an entry. Throws BadCursorError. */
  private async page(
    filter: AuditFilter,
    after: string | null,
    limit: number,
  ): Promise<Page<AuditEntry>> {
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
    const { entries, signIns } = auditStatements(order, place !== null);
    const values = [
      limit,
      by ?? null,
      account_id ?? null,
      from ?? null,
      to ?? null,
      ...(place === null ? [] : [at, lane, position]),
    ];
    const { pool } = this;
    const [changes, counted] = await Promise.all([
      queryAllLanes<AuditRow>(pool, { text: entries, values }),
      pool.query<AuditRow>(signIns, values),
    ]);
    const sign = order === 'asc' ? 1 : -1;
    return [...changes, ...counted.rows]
      .toSorted((a, b) => sign * (a.at - b.at || a.lane - b.lane || a.position - b.position))
      .slice(0, limit);
  }

  private async show(rows: readonly AuditRow[]): Promise<AuditEntry[]> {
    const actors = await this.actors.names(rows.flatMap(({ token_id }) => token_id ?? []));
    const names = new Map([...actors, ...(await this.customerNames(rows))]);
    const opened = await readable(this.pool, rows);
    const accounts = await readAccountNames(
      this.pool,
      rows.flatMap(({ account_id: id }) => id ?? []),
    );
    return opened.map((row) => ({
      ...entryOf(row, nameOf(row.token_id, names)),
      account_name: accounts.get(row.account_id ?? '') ?? null,
    }));
  }

  /** Customers who changed their account, by the session or API key that the change names. */
  private async customerNames(rows: readonly AuditRow[]): Promise<(readonly [string, string])[]> {
    const ids = new Map(
      rows.flatMap(({ account_id: account, token_id: id }) =>
        account !== null && id !== null && isUuid(id) ? [[id, laneOf(account)] as const] : [],
      ),
    );
    if (ids.size === 0) return [];
    const sessions = await this.log.findCalls([...ids].map(([callId, lane]) => ({ lane, callId })));
    return sessions.flatMap(({ type, callId, data }): (readonly [string, string])[] => {
      if (callId === null) return [];
      if (type === 'ApiKeyIssued') {
        const { prefix, last_four: lastFour } = JSON.parse(data) as ApiKeyIssued;
        return [[callId, `API key ${prefix}…${lastFour}`]];
      }
      if (type !== 'PortalSessionOpened') return [];
      const { role } = JSON.parse(data) as PortalSessionOpened;
      return [[callId, `a ${role} in the portal`]];
    });
  }
}

function entryOf(row: AuditRow, name: string | null): Omit<AuditEntry, 'account_name'> {
  const {
    by: _by,
    request,
    input: _input,
    reason,
    ...data
  } = JSON.parse(row.data) as Readonly<Record<string, unknown>>;
  return {
    at: formatMoment(row.at),
    account_at:
      row.account_id === null || row.account_at === null ? null : formatMoment(row.account_at),
    by: row.token_id,
    by_name: name,
    type: SIGN_IN_TYPES[row.type] ?? row.type,
    account_id: row.account_id,
    reason: textOf(reason),
    request_id: textOf(request),
    lane: row.lane === SIGN_INS_LANE ? null : row.lane,
    position: row.lane === SIGN_INS_LANE ? null : row.position,
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
  if (Number(place[1]) > SIGN_INS_LANE) throw new BadCursorError(cursor);
  return place.map(Number);
}

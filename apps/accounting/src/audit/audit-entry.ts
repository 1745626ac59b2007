import type { Column } from '#web/csv.js';

/** A change, or sign-ins of a minute, as the audit shows them. */
export interface AuditEntry {
  /** Real time at which it was written, of counted ones the first, whatever the clock of its account says. */
  readonly at: string;
  /**
   * Id of a token or of a portal session; `owner` is ADMIN_TOKEN, `system` the service; null: a
   * command or the service, or nobody known.
   */
  readonly by: string | null;
  readonly by_name: string | null;
  readonly type: string;
  /** Null: the change is about the service. */
  readonly account_id: string | null;
  readonly reason: string | null;
  readonly request_id: string | null;
  /** Null: no event, but counted sign-ins. */
  readonly lane: number | null;
  readonly position: number | null;
  /** What the event or the count says, without who, why and by which request. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Columns of the audit as CSV, in an order that stays. */
export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'at', cell: (entry) => entry.at },
  { name: 'by', cell: (entry) => entry.by },
  { name: 'by_name', cell: (entry) => entry.by_name },
  { name: 'type', cell: (entry) => entry.type },
  { name: 'account_id', cell: (entry) => entry.account_id },
  { name: 'reason', cell: (entry) => entry.reason },
  { name: 'request_id', cell: (entry) => entry.request_id },
  { name: 'lane', cell: (entry) => entry.lane },
  { name: 'position', cell: (entry) => entry.position },
  { name: 'data', cell: (entry) => JSON.stringify(entry.data) },
];

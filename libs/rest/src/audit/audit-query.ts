import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import type { Column } from '#web/csv.js';
import { LIST_QUERY } from '#web/query.js';
import { isUuid } from '#web/uuid.js';
import { inOrder, momentParameter } from '../usage/usage-queries.js';
import type { AuditEntry } from './audit.schemas.js';

const TOKEN = 'The id of an admin token, "owner" or "system"';
const TEXT = { type: 'string' } as const;

/** The query of the audit, in the billing zone of a calendar. */
export function auditQuery(calendar: Calendar) {
  const moment = momentParameter(calendar).optional();
  return inOrder(
    z.strictObject({
      ...LIST_QUERY,
      by: z
        .string()
        .refine((by) => by === 'owner' || by === 'system' || isUuid(by), TOKEN)
        .toLowerCase()
        .optional()
        .meta({
          description: 'Changes with that admin token alone: its id, `owner` or `system`.',
        }),
      account_id: z
        .string()
        .refine(isUuid, 'A UUID')
        .toLowerCase()
        .optional()
        .meta({
          description: 'Changes of that account alone.',
          schema: { type: 'string', format: 'uuid' },
        }),
      from: moment.meta({
        description: 'Changes from that moment on: RFC 3339, or a date for its first instant.',
        schema: TEXT,
      }),
      to: moment.meta({ description: 'Changes before that moment.', schema: TEXT }),
    }),
  );
}

export type AuditQuery = z.output<ReturnType<typeof auditQuery>>;

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

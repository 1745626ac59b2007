import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { inOrder, momentParameter } from '../usage/usage-queries.js';
import type { Column } from '#web/csv.js';
import { LIST_QUERY, Order } from '#web/query.js';
import { isUuid } from '#web/uuid.js';
import type { Frozen } from '../operation/frozen.js';

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
      order: Order.default('asc').meta({ description: 'Oldest or newest first.' }),
    }),
  );
}

export type AuditQuery = z.output<ReturnType<typeof auditQuery>>;

/** A change, or sign-ins of a minute. */
export const AuditEntry = z
  .strictObject({
    at: z.iso.datetime().meta({
      description:
        'Real time at which it was written, of counted ones the first, whatever the clock of the ' +
        'account says.',
    }),
    by: z
      .string()
      .nullable()
      .meta({
        description:
          'Id of an admin token or of a session of the portal; `owner`: ADMIN_TOKEN, `system`: the ' +
          'service. Null: the service too, a command, or nobody known.',
      }),
    by_name: z.string().nullable(),
    type: z.string(),
    account_id: z.uuid().nullable().meta({ description: 'Null: the change is about the service.' }),
    reason: z.string().nullable(),
    request_id: z.string().nullable(),
    lane: z
      .int()
      .nullable()
      .meta({ description: 'Null: no event of the log, but sign-ins counted by the minute.' }),
    position: z.int().nullable().meta({ description: 'In its lane of the log.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'The data of the event. Of `SignedIn`, `SignInFailed` and `RoleDenied`: `door` (`admin`, ' +
        '`console` or `portal`), `address` (`others`: of many), `times` and, where a role was ' +
        'denied, the first `route`.',
    }),
  })
  .meta({
    id: 'AuditEntry',
    examples: [
      {
        at: '2026-11-21T12:00:00.000Z',
        by: 'owner',
        by_name: null,
        type: 'AccountSuspended',
        account_id: '00000000-0000-4000-8000-000000000001',
        reason: 'Asked for by the customer.',
        request_id: '0d9f3b0e-52c4-4f7e-8a86-4b1f0f1c9d2a',
        lane: 7,
        position: 1_204,
        data: { by: 'owner', reason: 'Asked for by the customer.' },
      },
    ],
  });
export type AuditEntry = Frozen<z.output<typeof AuditEntry>>;

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

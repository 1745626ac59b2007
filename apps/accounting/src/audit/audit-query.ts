import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { inOrder, momentParameter } from '#ledger/usage-queries.js';
import { LIST_QUERY } from '#web/query.js';
import { isUuid } from '#web/uuid.js';

const TOKEN = 'The id of an admin token, "owner" or "system"';

/** Query of `GET /audit`, in the billing zone of a calendar. */
export function auditQuery(calendar: Calendar) {
  const moment = momentParameter(calendar).optional();
  return inOrder(
    z.strictObject({
      ...LIST_QUERY,
      by: z
        .string()
        .refine((by) => by === 'owner' || by === 'system' || isUuid(by), TOKEN)
        .toLowerCase()
        .optional(),
      account_id: z.string().refine(isUuid, 'A UUID').toLowerCase().optional(),
      from: moment,
      to: moment,
      order: z.enum(['asc', 'desc']).default('asc'),
    }),
  );
}

export type AuditQuery = z.output<ReturnType<typeof auditQuery>>;

import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { Order, PAGE_QUERY } from '#web/query.js';
import { CALL_MATCH, inOrder, momentParameter, RFC_3339, TEXT } from '../usage/usage-queries.js';
import { RefusalCode } from './refusal.schemas.js';

/** The query of refused calls, in the billing zone of a calendar. */
export function refusalQuery(calendar: Calendar) {
  const moment = momentParameter(calendar).optional();
  return inOrder(
    z.strictObject({
      ...PAGE_QUERY,
      code: RefusalCode.optional().meta({ description: 'Only calls refused for that reason.' }),
      api_key_id: CALL_MATCH.api_key_id,
      from: moment.meta({ description: `From that moment on: ${RFC_3339}.`, schema: TEXT }),
      to: moment.meta({ description: `Before that moment: ${RFC_3339}.`, schema: TEXT }),
      order: Order.default('desc').meta({ description: 'Newest or oldest first.' }),
    }),
  );
}

export type RefusalQuery = z.output<ReturnType<typeof refusalQuery>>;

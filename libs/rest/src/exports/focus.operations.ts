import { z } from 'zod';
import { monthField } from '#web/body-fields.js';
import { negotiate } from '#web/table-answer.js';
import { sending } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ } from '../operation/permissions.js';
import { FOCUS_MEDIA, FOCUS_TYPES, FocusExport, type FocusType } from './focus-export.js';
import EXAMPLE from './focus-example.json' with { type: 'json' };
import { sendPieces } from './send-pieces.js';

const { read } = operationsOf<FocusExport>('Usage');

const ofAccount = read({
  id: 'exportFocus',
  path: '/accounts/{account_id}/exports/focus',
  summary: 'Costs and usage of a month as FOCUS 1.2',
  description:
    'The FinOps Open Cost and Usage Specification, as CSV or, where `Accept` prefers it, a row of JSON on ' +
    'each line. Charges of the month’s invoices and credit notes come first, then calls by day, rule, ' +
    'kind, region and tags, priced in credits. `BilledCost` of an `InvoiceId` adds up to its payable amount.',
  access: ACCOUNT_READ,
  query: z.strictObject({
    month: monthField.meta({
      description: 'Of supply.',
      schema: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
      example: '2026-10',
    }),
  }),
  answer: sending(null, FOCUS_MEDIA, {
    'text/csv': EXAMPLE.map((line) => `${line}\r\n`).join(''),
  }),
  run: (focus, { path, query: { month } }) => ({
    view: async (request, reply) => {
      const accepted: FocusType = negotiate(request, FOCUS_MEDIA);
      const { type, extension } = FOCUS_TYPES[accepted];
      const pieces = await focus.ofAccount(month, path.account_id, accepted);
      await sendPieces(request, reply, { type, name: `focus-${month}.${extension}` }, pieces);
    },
  }),
});

/** Costs as other tools read them. */
export const FOCUS: Resource = { service: FocusExport, operations: [ofAccount] };

import { CSV, negotiate, NO_STORE, sendJson } from '#web/table-answer.js';
import { Invoices } from '../invoices/invoices.js';
import { sending } from '../operation/answer.js';
import { exampleOf } from '../operation/examples.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ } from '../operation/permissions.js';
import { receivablesCsv } from './receivables-csv.js';
import { Receivables } from './receivables.schemas.js';

const { read } = operationsOf<Invoices>('Invoices');

const get = read({
  id: 'getReceivables',
  path: '/accounts/{account_id}/receivables',
  summary: 'Statement of account: open invoices, ageing, credit balance',
  description:
    'What the customer owes and is owed today, the open invoices by how long they are overdue, and every ' +
    'invoice, credit note, payment, refund and write-off with the balance after it. As CSV a row for each ' +
    'of these; that of an open invoice says what is due of it.',
  access: ACCOUNT_READ,
  answer: sending(Receivables, ['text/csv'], {
    'text/csv': receivablesCsv(exampleOf(Receivables)),
  }),
  cli: {
    name: 'account receivables',
    description: 'what an account owes and is owed, and for how long',
    example: 'Acme',
  },
  run: async (invoices, { path }) => {
    const view = await invoices.receivables(path.account_id);
    return {
      view: (request, reply) => {
        void reply.header('vary', 'Authorization, Accept').header('cache-control', NO_STORE);
        const type = negotiate(request, ['application/json', 'text/csv']);
        if (type === 'application/json') return sendJson(request, reply, view);
        const name = `receivables-${view.date}.csv`;
        return void reply
          .header('content-type', CSV)
          .header('content-disposition', `attachment; filename="${name}"`)
          .send(receivablesCsv(view));
      },
    };
  },
});

/** Statements of account. */
export const RECEIVABLES: Resource = { service: Invoices, operations: [get] };

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AmountOutOfRangeError } from '#billing/money.js';
import { problem, ProblemException } from '#web/problem.js';
import { NO_STORE, pagedList, sendJson, sendList, type List } from '#web/table-answer.js';
import type { CallView } from './account-reads.js';
import type { CreditNoteSummary, InvoiceFilter, InvoiceReads } from './invoice-reads.js';
import type { InvoiceSummary } from './invoice-reads.js';
import { CREDIT_NOTE_COLUMNS, INVOICE_COLUMNS } from './invoice-queries.js';
import type { creditNotesQuery, DocumentName, invoicesQuery } from './invoice-queries.js';
import type { lineCallsQuery } from './invoice-queries.js';
import type { DocumentFormat } from './number-events.js';
import { CALL_COLUMNS } from './usage-columns.js';

const BATCH_ROWS = 1_000;
const TYPES: Record<DocumentFormat, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  pdf: 'application/pdf',
  xml: 'application/xml; charset=utf-8',
};

/** What of a list of invoices is asked for beside the query of an account's own. */
export type Further = Partial<Pick<InvoiceFilter, 'test'>>;

/**
 * Answers about invoices as they are sent, the same by the API and to operators. `accountId`: whose
 * they must be; null: anybody's. They throw a ProblemException (`not-found`) where there is none.
 */
export class InvoiceAnswers {
  constructor(
    private readonly reads: InvoiceReads,
    private readonly accountId: string | null,
  ) {}

  async invoices(
    request: FastifyRequest,
    reply: FastifyReply,
    query: z.output<typeof invoicesQuery>,
    { test = null }: Further = {},
  ): Promise<void> {
    const { accountId } = this;
    const { month = null, status = null } = query;
    const list: List<InvoiceSummary> = pagedList(query.after ?? null, BATCH_ROWS, (after, limit) =>
      this.reads.invoices({ accountId, month, status, test, after, limit }),
    );
    await sendList(request, reply, query.limit, INVOICE_COLUMNS, list);
  }

  async creditNotes(
    request: FastifyRequest,
    reply: FastifyReply,
    query: z.output<typeof creditNotesQuery>,
    { test = null }: Further = {},
  ): Promise<void> {
    const { accountId } = this;
    const { month = null } = query;
    const list: List<CreditNoteSummary> = pagedList(
      query.after ?? null,
      BATCH_ROWS,
      (after, limit) => this.reads.creditNotes({ accountId, month, test, after, limit }),
    );
    await sendList(request, reply, query.limit, CREDIT_NOTE_COLUMNS, list);
  }

  /** An invoice with its state, or the bytes of a format as they were issued. */
  async invoice(
    request: FastifyRequest,
    reply: FastifyReply,
    { number, format }: DocumentName,
  ): Promise<void> {
    const invoice = await this.reads.invoice(this.accountId, number);
    if (invoice === undefined) throw notFound('invoice');
    if (format === null) sendJson(request, reply, invoice);
    else await this.sendDocument(reply, number, format);
  }

  async creditNote(
    request: FastifyRequest,
    reply: FastifyReply,
    { number, format }: DocumentName,
  ): Promise<void> {
    const note = await this.reads.creditNote(this.accountId, number);
    if (note === undefined) throw notFound('credit note');
    if (format === null) sendJson(request, reply, note);
    else await this.sendDocument(reply, number, format);
  }

  async lineCalls(
    request: FastifyRequest,
    reply: FastifyReply,
    number: string,
    line: number,
    query: z.output<typeof lineCallsQuery>,
  ): Promise<void> {
    const calls = await this.reads.lineCalls(this.accountId, number, line);
    if (calls === undefined) throw notFound('line that calls stand behind');
    const list: List<CallView> = {
      page: (limit) => calls.page(query.after ?? null, limit),
      whole: async () => calls.every(),
    };
    await sendList(request, reply, query.limit, CALL_COLUMNS, list);
  }

  async draft(request: FastifyRequest, reply: FastifyReply, accountId: string): Promise<void> {
    const draft = await this.reads.draft(accountId).catch(refuseOutOfRange);
    if (draft === undefined) throw notFound('account');
    sendJson(request, reply, draft);
  }

  private async sendDocument(
    reply: FastifyReply,
    number: string,
    format: DocumentFormat,
  ): Promise<void> {
    const document = await this.reads.document(this.accountId, number, format);
    if (document === undefined) throw notFound('document');
    if (document.outcome === 'gone') {
      const detail =
        'The time for which this document has to be kept is over, and its parties were removed. ' +
        'What is left of it can be had as JSON and CSV.';
      throw new ProblemException(problem('gone', detail));
    }
    if (document.outcome === 'missing') {
      const { missing } = document;
      const detail = 'The standard does not allow this document as XML: something was missing.';
      throw new ProblemException(problem('conflict', detail, { missing }));
    }
    const digest = Buffer.from(document.sha256, 'hex').toString('base64');
    void reply
      .header('content-type', TYPES[format])
      .header('content-disposition', `attachment; filename="${number}.${format}"`)
      .header('repr-digest', `sha-256=:${digest}:`)
      .header('cache-control', NO_STORE)
      .send(document.body);
  }
}

/** What stands in the log from before prices and debts had bounds is told, not drawn up. */
function refuseOutOfRange(error: unknown): never {
  if (!(error instanceof AmountOutOfRangeError)) throw error;
  throw new ProblemException(problem('conflict', `The month cannot be invoiced. ${error.message}`));
}

function notFound(what: string): ProblemException {
  return new ProblemException(problem('not-found', `There is no such ${what}.`));
}

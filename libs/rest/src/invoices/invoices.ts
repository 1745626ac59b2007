import { AmountOutOfRangeError } from '#invoice-rules/money.js';
import type { CallView } from '#projections/views/account-reads.js';
import type { DocumentName } from '../operation/path-parameters.js';
import type {
  CreditNoteSummary,
  HeldInvoiceView,
  HeldSummary,
  InvoiceDraftView,
  InvoiceReads,
  InvoiceSummary,
  ReceivablesView,
} from '#projections/views/invoice-reads.js';
import { documentFile, type DocumentFormat } from '#projections/events/number-events.js';
import type { PageQuery } from '#web/query.js';
import { found, problem, ProblemException } from '#web/problem.js';
import { isUuid } from '#web/uuid.js';
import { CSV, negotiate, NO_STORE, pagedList, sendJson, type List } from '#web/table-answer.js';
import type { Sending } from '../operation/answer.js';
import type { CreditNotesQuery, InvoicesQuery } from './invoice-requests.js';
import { pageWithHeld } from './page-with-held.js';

const BATCH_ROWS = 1_000;
const TYPES: Record<DocumentFormat, string> = {
  json: 'application/json; charset=utf-8',
  csv: CSV,
  pdf: 'application/pdf',
  xml: 'application/xml; charset=utf-8',
  cii: 'application/xml; charset=utf-8',
};
/** The media types of an address without a format; JSON is the present state. */
const FORMATS = {
  'application/json': null,
  'text/csv': 'csv',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
} as const;
const OFFERS = Object.keys(FORMATS) as readonly (keyof typeof FORMATS)[];

/**
 * Reads invoices and credit notes. `account`: whose they must be; null: anybody's. Throws a
 * ProblemException (`not-found`) where there is none.
 */
export class Invoices {
  constructor(private readonly reads: InvoiceReads) {}

  /** In the order of their numbers, and held ones behind them. */
  list(account: string | null, query: InvoicesQuery): List<InvoiceSummary | HeldSummary> {
    const { month = null, status = null, after = null, order } = query;
    const filter = { ...scopeOf(account, query), month, status, order };
    return pagedList(after, BATCH_ROWS, (from, limit) =>
      pageWithHeld(this.reads, { ...filter, after: from, limit }),
    );
  }

  /** In the order of their numbers. */
  listCreditNotes(account: string | null, query: CreditNotesQuery): List<CreditNoteSummary> {
    const { month = null, after = null, order } = query;
    const filter = { ...scopeOf(account, query), month, order };
    return pagedList(after, BATCH_ROWS, (from, limit) =>
      this.reads.creditNotes({ ...filter, after: from, limit }),
    );
  }

  /** An invoice with its state, or the bytes of a format as they were issued. */
  async get(account: string | null, { number, format }: DocumentName): Promise<Sending> {
    const issued = await this.reads.invoice(account, number);
    const held = issued === undefined && (await this.held(account, number));
    if (held) return preferredOf(held, format);
    const invoice = found(issued, 'invoice');
    return format === null
      ? this.preferred(account, number, invoice)
      : this.document(account, number, format);
  }

  /** Undefined: there is no such invoice, or it is issued. */
  private async held(account: string | null, id: string): Promise<HeldInvoiceView | undefined> {
    return isUuid(id) ? this.reads.held.find(account, id) : undefined;
  }

  /** A credit note, or the bytes of a format as they were issued. */
  async getCreditNote(account: string | null, { number, format }: DocumentName): Promise<Sending> {
    const note = found(await this.reads.creditNote(account, number), 'credit note');
    return format === null
      ? this.preferred(account, number, note)
      : this.document(account, number, format);
  }

  /** The calls behind a line. */
  async lineCalls(
    account: string | null,
    { number }: DocumentName,
    line: number,
    { after, order }: Pick<PageQuery, 'after' | 'order'>,
  ): Promise<List<CallView>> {
    const behind = await this.reads.lineCalls(account, number, line);
    const calls = found(behind, 'line of usage or of credits that a grant covered');
    return {
      page: (limit) => calls.page(after ?? null, limit, order),
      whole: async () => calls.every(order),
    };
  }

  /** The statement of account. */
  async receivables(accountId: string): Promise<ReceivablesView> {
    return found(await this.reads.receivables(accountId), 'account');
  }

  /** Throws a ProblemException: `conflict` where the month comes to amounts out of range. */
  async draft(accountId: string): Promise<InvoiceDraftView> {
    return found(await this.reads.draft(accountId).catch(refuseOutOfRange), 'account');
  }

  /** Sends the value as JSON, or the bytes of the format that the client prefers. */
  private preferred(account: string | null, number: string, value: unknown): Sending {
    return async (request, reply) => {
      const format = FORMATS[negotiate(request, OFFERS)];
      void reply.header('vary', 'Authorization, Accept');
      if (format === null) return sendJson(request, reply, value);
      const send = await this.document(account, number, format);
      return send(request, reply);
    };
  }

  private async document(
    account: string | null,
    number: string,
    format: DocumentFormat,
  ): Promise<Sending> {
    const document = found(await this.reads.document(account, number, format), 'document');
    if (document.outcome === 'gone') {
      const detail =
        'The time for which this document has to be kept is over, and its parties were removed. ' +
        'What is left of it is available as JSON and CSV.';
      throw new ProblemException(problem('gone', detail));
    }
    if (document.outcome === 'missing') {
      const { missing } = document;
      const detail =
        'The standard does not allow this document as XML: `missing` lists what the parties lacked ' +
        'when it was issued. Take the PDF, or correct the parties, void the invoice and reissue it.';
      throw new ProblemException(problem('conflict', detail, { missing }));
    }
    const digest = Buffer.from(document.sha256, 'hex').toString('base64');
    return (_request, reply) =>
      void reply
        .header('content-type', TYPES[format])
        .header('content-disposition', `attachment; filename="${documentFile(number, format)}"`)
        .header('repr-digest', `sha-256=:${digest}:`)
        .header('cache-control', NO_STORE)
        .send(document.body);
  }
}

/** A held invoice is shown as JSON; there are no bytes of it. */
function preferredOf(held: HeldInvoiceView, format: DocumentFormat | null): Sending {
  return (request, reply) => {
    if (format !== null || negotiate(request, OFFERS) !== 'application/json') {
      const { reasons: missing } = held;
      const detail = 'The invoice is held: it is issued once what is missing is corrected.';
      throw new ProblemException(problem('conflict', detail, { missing }));
    }
    void reply.header('vary', 'Authorization, Accept');
    return sendJson(request, reply, held);
  };
}

/** Operators may name an account; all others have theirs. */
function scopeOf(
  account: string | null,
  { account_id: named, test }: Pick<InvoicesQuery, 'account_id' | 'test'>,
) {
  return { accountId: account ?? named ?? null, test: test === undefined ? null : test === 'true' };
}

/** A month whose amounts no invoice can show is refused. */
function refuseOutOfRange(error: unknown): never {
  if (!(error instanceof AmountOutOfRangeError)) throw error;
  throw new ProblemException(problem('conflict', `The month cannot be invoiced: ${error.message}`));
}

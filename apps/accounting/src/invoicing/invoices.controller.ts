import { Body, Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { EventLog } from '#event-log/event-log.js';
import { InvoiceAnswers } from '#ledger/invoice-answers.js';
import { creditNotesQuery, invoicesQuery, lineCallsQuery } from '#ledger/invoice-queries.js';
import type { InvoiceReads } from '#ledger/invoice-reads.js';
import { INVOICES } from '#ledger/invoices.projection.js';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { isUuid } from '#web/uuid.js';
import { sendChanged, sendCreated, sendStarted } from '#rest/operation/answers.js';
import type { ProjectionProgress } from '#deciding/changes/projection-lag.js';
import { EVENT_LOG, PROJECTION_PROGRESS } from '#rest/operation/ports.js';
import { lagAfterWait } from '#deciding/changes/projection-lag.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readPath } from '#rest/operation/request-parameters.js';
import { CreditNotes } from '#invoicing/credit-notes.js';
import { creditNoteBody, invoiceRunBody, paymentBody } from '#invoicing/invoice-bodies.js';
import { INVOICE_READS } from '#invoicing/invoice-ports.js';
import { readDocumentRequest, readInvoiceChange, readLineRequest } from './invoice-requests.js';
import { Invoicing } from '#invoicing/invoicing.js';
import { Payments } from '#invoicing/payments.js';

const OF_ALL = {
  account_id: z.string().refine(isUuid, 'A UUID').toLowerCase().optional(),
  test: z.enum(['true', 'false']).optional(),
} as const;
const allInvoicesQuery = invoicesQuery.extend(OF_ALL);
const allCreditNotesQuery = creditNotesQuery.extend(OF_ALL);

/** Invoices of all accounts, what becomes of them, and the runs that issue them. */
@Controller('admin/v1')
export class InvoicesController {
  constructor(
    @Inject(INVOICE_READS) private readonly reads: InvoiceReads,
    @Inject(Invoicing) private readonly invoicing: Invoicing,
    @Inject(CreditNotes) private readonly creditNotes: CreditNotes,
    @Inject(Payments) private readonly payments: Payments,
    @Inject(EVENT_LOG) private readonly log: Pick<EventLog, 'ends'>,
    @Inject(PROJECTION_PROGRESS) private readonly progress: ProjectionProgress,
  ) {}

  @Post('invoice-runs')
  async run(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request);
    const { month, account_id: accountId } = parseBody(invoiceRunBody, body);
    const made = await this.invoicing.runs.start(change, month, accountId);
    if (made.view.status === 'ended') sendChanged(request, reply, made);
    else sendStarted(request, reply, made, `/admin/v1/invoice-runs/${made.view.id}`);
  }

  @Get('invoice-runs/:run_id')
  async runUnderWay(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { run_id: id } = readPath(request, 'run_id');
    sendJson(request, reply, await this.invoicing.runs.read(id));
  }

  @Get('invoices')
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { document: _none, query } = readDocumentRequest(request, allInvoicesQuery, false);
    const { account_id: accountId = null, test, ...asked } = query;
    await this.tellLag(reply, accountId);
    const further = { test: test === undefined ? null : test === 'true' };
    await this.answers(accountId).invoices(request, reply, asked, further);
  }

  @Get('credit-notes')
  async listNotes(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query } = readDocumentRequest(request, allCreditNotesQuery, false);
    const { account_id: accountId = null, test, ...asked } = query;
    await this.tellLag(reply, accountId);
    const further = { test: test === undefined ? null : test === 'true' };
    await this.answers(accountId).creditNotes(request, reply, asked, further);
  }

  @Get('invoices/:number')
  async one(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { document } = readDocumentRequest(request, z.strictObject({}));
    await this.answers().invoice(request, reply, document);
  }

  @Get('credit-notes/:number')
  async oneNote(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { document } = readDocumentRequest(request, z.strictObject({}));
    await this.answers().creditNote(request, reply, document);
  }

  @Get('invoices/:number/lines/:line/calls')
  async calls(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { number, line, query } = readLineRequest(request, lineCallsQuery);
    await this.answers().lineCalls(request, reply, number, line, query);
  }

  @Get('accounts/:account_id/invoices/draft')
  async draft(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { account_id: accountId } = readPath(request, 'account_id');
    await this.answers().draft(request, reply, accountId);
  }

  @Post('invoices/:number/void')
  async void(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const { number, change } = readInvoiceChange(request);
    const { reason } = parseBody(Reason, body === undefined ? {} : body);
    sendCreated(request, reply, await this.creditNotes.void(number, change, reason), addressOf);
  }

  @Post('invoices/:number/credit-notes')
  async credit(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const { number, change } = readInvoiceChange(request);
    const asked = parseBody(creditNoteBody, body);
    sendCreated(request, reply, await this.creditNotes.credit(number, change, asked), addressOf);
  }

  @Post('invoices/:number/payments')
  async pay(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const { number, change } = readInvoiceChange(request);
    const asked = parseBody(paymentBody, body);
    sendCreated(request, reply, await this.payments.pay(number, change, asked));
  }

  private answers(accountId: string | null = null): InvoiceAnswers {
    return new InvoiceAnswers(this.reads, accountId);
  }

  /** What is asked of one account is read from the log, and never lags. */
  private async tellLag(reply: FastifyReply, accountId: string | null): Promise<void> {
    if (accountId !== null) return;
    const lag = await lagAfterWait(this.log, this.progress, INVOICES);
    if (lag > 0) void reply.header('projection-lag', String(lag));
  }
}

function addressOf({ number }: { readonly number: string }): string {
  return `/admin/v1/credit-notes/${number}`;
}

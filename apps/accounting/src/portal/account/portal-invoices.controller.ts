import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { InvoiceAnswers } from '#ledger/invoice-answers.js';
import { creditNotesQuery, invoicesQuery, lineCallsQuery } from '#ledger/invoice-queries.js';
import type { InvoiceReads } from '#ledger/invoice-reads.js';
import { readPath } from '#rest/operation/request-parameters.js';
import { INVOICE_READS } from '#invoicing/invoice-ports.js';
import { readDocumentRequest, readLineRequest } from '../../invoicing/invoice-requests.js';
import { accountOf } from '../sessions/signed-in.js';

const NOTHING = z.strictObject({});

/** What the customer was invoiced, and what it would be now. */
@Controller('portal/v1')
export class PortalInvoicesController {
  constructor(@Inject(INVOICE_READS) private readonly reads: InvoiceReads) {}

  @Get('invoices')
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query } = readDocumentRequest(request, invoicesQuery, false);
    await this.answers(request).invoices(request, reply, query);
  }

  @Get('invoices/draft')
  async draft(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    readPath(request);
    await this.answers(request).draft(request, reply, accountOf(request));
  }

  @Get('invoices/:number')
  async one(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { document } = readDocumentRequest(request, NOTHING);
    await this.answers(request).invoice(request, reply, document);
  }

  @Get('invoices/:number/lines/:line/calls')
  async calls(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { number, line, query } = readLineRequest(request, lineCallsQuery);
    await this.answers(request).lineCalls(request, reply, number, line, query);
  }

  @Get('credit-notes')
  async notes(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query } = readDocumentRequest(request, creditNotesQuery, false);
    await this.answers(request).creditNotes(request, reply, query);
  }

  @Get('credit-notes/:number')
  async note(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { document } = readDocumentRequest(request, NOTHING);
    await this.answers(request).creditNote(request, reply, document);
  }

  private answers(request: FastifyRequest): InvoiceAnswers {
    return new InvoiceAnswers(this.reads, accountOf(request));
  }
}

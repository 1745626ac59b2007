import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { InvoiceAnswers } from '#ledger/invoice-answers.js';
import {
  creditNotesQuery,
  type DocumentName,
  invoicesQuery,
  lineCallsQuery,
  readDocumentName,
  readLineNumber,
} from '#ledger/invoice-queries.js';
import type { InvoiceReads } from '#ledger/invoice-reads.js';
import type { ParameterFault } from '#web/parameter-fault.js';
import { parseQuery } from '#web/query.js';
import { INVOICES } from '../api-dependencies.js';
import { ApiKeyGuard, CurrentCaller, Scoped } from '../callers/api-key.guard.js';
import type { Caller } from '../callers/doorkeeper.js';

const noQuery = z.strictObject({});

/** The invoices and credit notes of the API key's holder. */
@Controller('v1/account')
@UseGuards(ApiKeyGuard)
export class InvoicesController {
  constructor(@Inject(INVOICES) private readonly reads: InvoiceReads) {}

  @Get('invoices')
  @Scoped('account:read')
  async invoices(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = parseQuery(invoicesQuery, request.url);
    await this.answers(caller).invoices(request, reply, query);
  }

  @Get('invoices/draft')
  @Scoped('account:read')
  async draft(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    parseQuery(noQuery, request.url);
    await this.answers(caller).draft(request, reply, caller.record.accountId);
  }

  @Get('invoices/:number')
  @Scoped('account:read')
  async invoice(
    @CurrentCaller() caller: Caller,
    @Param('number') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers(caller).invoice(request, reply, documentOf(name, request));
  }

  @Get('invoices/:number/lines/:line/calls')
  @Scoped('account:read')
  async lineCalls(
    @CurrentCaller() caller: Caller,
    @Param('number') name: string,
    @Param('line') lineText: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const faults: ParameterFault[] = [];
    const { number } = readDocumentName(name, faults);
    const line = readLineNumber(lineText, faults);
    const query = parseQuery(lineCallsQuery, request.url, faults);
    await this.answers(caller).lineCalls(request, reply, number, line, query);
  }

  @Get('credit-notes')
  @Scoped('account:read')
  async creditNotes(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = parseQuery(creditNotesQuery, request.url);
    await this.answers(caller).creditNotes(request, reply, query);
  }

  @Get('credit-notes/:number')
  @Scoped('account:read')
  async creditNote(
    @CurrentCaller() caller: Caller,
    @Param('number') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers(caller).creditNote(request, reply, documentOf(name, request));
  }

  private answers({ record }: Caller): InvoiceAnswers {
    return new InvoiceAnswers(this.reads, record.accountId);
  }
}

/** Throws a ProblemException with all that is wrong about the number and the query. */
function documentOf(name: string, { url }: FastifyRequest): DocumentName {
  const faults: ParameterFault[] = [];
  const document = readDocumentName(name, faults);
  parseQuery(noQuery, url, faults);
  return document;
}

import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readMonth, sendStatement } from '#ledger/statement-answer.js';
import type { StatementReads } from '#ledger/statement-reads.js';
import type { ParameterFault } from '#web/parameter-fault.js';
import { parseQuery } from '#web/query.js';
import { STATEMENTS } from '../api-dependencies.js';
import { ApiKeyGuard, CurrentCaller, Scoped } from '../callers/api-key.guard.js';
import type { Caller } from '../callers/doorkeeper.js';

/** Months of the API key's holder in credits. */
@Controller('v1/account')
@UseGuards(ApiKeyGuard)
export class StatementsController {
  constructor(@Inject(STATEMENTS) private readonly reads: StatementReads) {}

  @Get('statements/:month')
  @Scoped('account:read')
  async statement(
    @CurrentCaller() { record }: Caller,
    @Param('month') text: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const faults: ParameterFault[] = [];
    const month = readMonth(text, faults);
    parseQuery(z.strictObject({}), request.url, faults);
    sendStatement(request, reply, await this.reads.statement(record.accountId, month));
  }
}

import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountReads } from '#ledger/account-reads.js';
import { ProblemException, problem } from '#web/problem.js';
import { parseQuery } from '#web/query.js';
import { sendJson } from '#web/table-answer.js';
import { READS } from '../api-dependencies.js';
import { ApiKeyGuard, CurrentCaller, Scoped } from '../callers/api-key.guard.js';
import type { Caller } from '../callers/doorkeeper.js';
import { uuidFaults } from './uuid-faults.js';

/** Why one call cost what it cost. */
@Controller('v1/calls')
@UseGuards(ApiKeyGuard)
export class CallsController {
  constructor(@Inject(READS) private readonly reads: AccountReads) {}

  @Get(':call_id')
  @Scoped('account:read')
  async call(
    @CurrentCaller() { record }: Caller,
    @Param('call_id') callId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    parseQuery(z.object({}), request.url, uuidFaults('call_id', callId));
    const explanation = await this.reads.call(record.accountId, callId.toLowerCase());
    if (explanation === undefined) {
      throw new ProblemException(problem('not-found', 'This account has no such call.'));
    }
    sendJson(request, reply, explanation);
  }
}

import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountReads } from '#ledger/account-reads.js';
import { invalidParameters } from '#web/parameter-fault.js';
import { ProblemException, problem } from '#web/problem.js';
import { parseQuery } from '#web/query.js';
import { sendJson } from '#web/table-answer.js';
import { isUuid } from '#web/uuid.js';
import { READS } from '../api-dependencies.js';
import { ApiKeyGuard, CurrentCaller, Scoped } from '../callers/api-key.guard.js';
import type { Caller } from '../callers/doorkeeper.js';

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
    parseQuery(z.object({}), request.url);
    if (!isUuid(callId)) {
      const fault = { in: 'path', name: 'call_id', value: callId, detail: 'A UUID.' } as const;
      throw new ProblemException(invalidParameters([fault]));
    }
    const explanation = await this.reads.call(record.accountId, callId.toLowerCase());
    if (explanation === undefined) {
      throw new ProblemException(problem('not-found', 'This account has no such call.'));
    }
    sendJson(request, reply, explanation);
  }
}

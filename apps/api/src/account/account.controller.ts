import { Controller, Get, Inject, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Calendar } from '#calendar/calendar.js';
import type { AccountReads } from '#ledger/account-reads.js';
import { usageQueries, type UsageQueries } from '#ledger/usage-queries.js';
import { ProblemException, problem } from '#web/problem.js';
import { parseQuery } from '#web/query.js';
import { sendJson } from '#web/table-answer.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';
import { ApiKeyGuard, CurrentCaller, Scoped } from '../callers/api-key.guard.js';
import type { Caller } from '../callers/doorkeeper.js';

/** The account of the API key's holder. */
@Controller('v1/account')
@UseGuards(ApiKeyGuard)
export class AccountController {
  private readonly queries: UsageQueries;

  constructor(
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
    @Inject(Calendar) calendar: Calendar,
  ) {
    this.queries = usageQueries(calendar);
  }

  @Get()
  @Scoped('account:read')
  async account(
    @CurrentCaller() { record }: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { as_of: asOf = null } = parseQuery(this.queries.account, request.url);
    const account = await this.reads.account(record.accountId, asOf);
    if (account !== undefined) return sendJson(request, reply, account);
    throw new ProblemException(problem('not-found', 'There is no such account.'));
  }
}

import { Controller, Get, Inject, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import type { AccountReads } from '#ledger/account-reads.js';
import { CALL_COLUMNS, WINDOW_COLUMNS } from '#ledger/usage-columns.js';
import { callsQuery, toCallFilter, windowsQuery } from '#ledger/usage-queries.js';
import { ProblemException, problem } from '#web/problem.js';
import { parseQuery } from '#web/query.js';
import { sendJson, sendTable } from '#web/table-answer.js';
import { CALENDAR, READS } from '../api-dependencies.js';
import { ApiKeyGuard, CurrentCaller, Scoped } from '../callers/api-key.guard.js';
import type { Caller } from '../callers/doorkeeper.js';

/** The account of the API key's holder. */
@Controller('v1/account')
@UseGuards(ApiKeyGuard)
export class AccountController {
  constructor(
    @Inject(READS) private readonly reads: AccountReads,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  @Get()
  @Scoped('account:read')
  async account(
    @CurrentCaller() { record }: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    parseQuery(z.object({}), request.url);
    sendJson(request, reply, found(await this.reads.account(record.accountId)));
  }

  @Get('windows')
  @Scoped('account:read')
  async windows(
    @CurrentCaller() { record }: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { window, after, limit } = parseQuery(windowsQuery, request.url);
    const page = await this.reads.windows(record.accountId, window, after ?? null, limit);
    sendTable(request, reply, found(page), WINDOW_COLUMNS);
  }

  @Get('calls')
  @Scoped('account:read')
  async calls(
    @CurrentCaller() { record }: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const filter = toCallFilter(parseQuery(callsQuery(this.calendar), request.url));
    sendTable(
      request,
      reply,
      found(await this.reads.calls(record.accountId, filter)),
      CALL_COLUMNS,
    );
  }
}

function found<Value>(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new ProblemException(problem('not-found', 'There is no such account.'));
}

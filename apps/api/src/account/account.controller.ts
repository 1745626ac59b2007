import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Calendar } from '#calendar/calendar.js';
import { AccountLists } from '#ledger/account-lists.js';
import type { AccountReads } from '#ledger/account-reads.js';
import {
  CALL_COLUMNS,
  GRANT_CALL_COLUMNS,
  usageColumns,
  WINDOW_COLUMNS,
} from '#ledger/usage-columns.js';
import { usageQueries, type UsageQueries } from '#ledger/usage-queries.js';
import { ProblemException, problem } from '#web/problem.js';
import { parseQuery } from '#web/query.js';
import { sendJson, sendList } from '#web/table-answer.js';
import { CALENDAR, READS } from '../api-dependencies.js';
import { ApiKeyGuard, CurrentCaller, Scoped } from '../callers/api-key.guard.js';
import type { Caller } from '../callers/doorkeeper.js';
import { uuidFaults } from './uuid-faults.js';

/** The account of the API key's holder. */
@Controller('v1/account')
@UseGuards(ApiKeyGuard)
export class AccountController {
  private readonly queries: UsageQueries;

  constructor(
    @Inject(READS) private readonly reads: AccountReads,
    @Inject(CALENDAR) calendar: Calendar,
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

  @Get('windows')
  @Scoped('account:read')
  async windows(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = parseQuery(this.queries.windows, request.url);
    const list = this.lists(caller).windows(query);
    await sendList(request, reply, query.limit, WINDOW_COLUMNS, list);
  }

  @Get('usage')
  @Scoped('account:read')
  async usage(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = parseQuery(this.queries.usage, request.url);
    const list = this.lists(caller).usage(query);
    await sendList(request, reply, query.limit, usageColumns(query.by), list);
  }

  @Get('calls')
  @Scoped('account:read')
  async calls(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = parseQuery(this.queries.calls, request.url);
    const list = this.lists(caller).calls(query);
    await sendList(request, reply, query.limit, CALL_COLUMNS, list);
  }

  @Get('grants/:grant_id/calls')
  @Scoped('account:read')
  async grantCalls(
    @CurrentCaller() caller: Caller,
    @Param('grant_id') grantId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const faults = uuidFaults('grant_id', grantId);
    const query = parseQuery(this.queries.calls, request.url, faults);
    const list = this.lists(caller).grantCalls(grantId.toLowerCase(), query);
    await sendList(request, reply, query.limit, GRANT_CALL_COLUMNS, list);
  }

  private lists({ record }: Caller): AccountLists {
    return new AccountLists(this.reads, record.accountId);
  }
}

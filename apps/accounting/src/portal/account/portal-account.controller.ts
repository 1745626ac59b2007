import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Calendar } from '#calendar/calendar.js';
import type { AccountReads } from '#ledger/account-reads.js';
import { CALL_COLUMNS, usageColumns, WINDOW_COLUMNS } from '#ledger/usage-columns.js';
import { usageQueries, type UsageQueries } from '#ledger/usage-queries.js';
import { problem, ProblemException } from '#web/problem.js';
import { sendJson, sendList } from '#web/table-answer.js';
import { ListCallsQuery } from '../../accounts/list-calls.handler.js';
import { ListUsageQuery } from '../../accounts/list-usage.handler.js';
import { ListWindowsQuery } from '../../accounts/list-windows.handler.js';
import { ACCOUNT_READS } from '#rest/operation/ports.js';
import { readPath, readQuery } from '#rest/operation/request-parameters.js';
import { accountOf } from '../sessions/signed-in.js';

/** What the customer's own account called, and what that cost. */
@Controller('portal/v1')
export class PortalAccountController {
  private readonly schemas: UsageQueries;

  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
    @Inject(Calendar) calendar: Calendar,
  ) {
    this.schemas = usageQueries(calendar);
  }

  @Get('windows')
  async windows(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query } = readQuery(request, this.schemas.windows);
    const list = await this.queries.execute(new ListWindowsQuery(accountOf(request), query));
    await sendList(request, reply, query.limit, WINDOW_COLUMNS, list);
  }

  @Get('usage')
  async usage(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query } = readQuery(request, this.schemas.usage);
    const list = await this.queries.execute(new ListUsageQuery(accountOf(request), query));
    await sendList(request, reply, query.limit, usageColumns(query.by), list);
  }

  @Get('calls')
  async calls(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query } = readQuery(request, this.schemas.calls);
    const list = await this.queries.execute(new ListCallsQuery(accountOf(request), query));
    await sendList(request, reply, query.limit, CALL_COLUMNS, list);
  }

  @Get('calls/:call_id')
  async call(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { call_id: id } = readPath(request, 'call_id');
    const call = await this.reads.call(accountOf(request), id);
    if (call === undefined) {
      throw new ProblemException(problem('not-found', 'This account has no such call.'));
    }
    sendJson(request, reply, call);
  }
}

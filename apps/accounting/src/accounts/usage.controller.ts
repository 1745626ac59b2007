import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Calendar } from '#calendar/calendar.js';
import {
  CALL_COLUMNS,
  GRANT_CALL_COLUMNS,
  usageColumns,
  WINDOW_COLUMNS,
} from '#ledger/usage-columns.js';
import { usageQueries, type UsageQueries } from '#ledger/usage-queries.js';
import { sendJson, sendList } from '#web/table-answer.js';
import { ExplainCallQuery } from './explain-call.handler.js';
import { ListCallsQuery } from './list-calls.handler.js';
import { ListEventsQuery } from './list-events.handler.js';
import { ListGrantCallsQuery } from './list-grant-calls.handler.js';
import { ListUsageQuery } from './list-usage.handler.js';
import { ListWindowsQuery } from './list-windows.handler.js';
import { pageQuery } from './lists.js';
import { readPath, readQuery } from '#rest/operation/request-parameters.js';

/** What accounts have called and what that cost them. */
@Controller('admin/v1')
export class UsageController {
  private readonly schemas: UsageQueries;

  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Calendar) calendar: Calendar,
  ) {
    this.schemas = usageQueries(calendar);
  }

  @Get('accounts/:account_id/windows')
  async windows(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, this.schemas.windows, 'account_id');
    const list = await this.queries.execute(new ListWindowsQuery(ids.account_id, query));
    await sendList(request, reply, query.limit, WINDOW_COLUMNS, list);
  }

  @Get('accounts/:account_id/usage')
  async usage(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, this.schemas.usage, 'account_id');
    const list = await this.queries.execute(new ListUsageQuery(ids.account_id, query));
    await sendList(request, reply, query.limit, usageColumns(query.by), list);
  }

  @Get('accounts/:account_id/calls')
  async calls(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, this.schemas.calls, 'account_id');
    const list = await this.queries.execute(new ListCallsQuery(ids.account_id, query));
    await sendList(request, reply, query.limit, CALL_COLUMNS, list);
  }

  @Get('accounts/:account_id/grants/:grant_id/calls')
  async grantCalls(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, this.schemas.calls, 'account_id', 'grant_id');
    const calls = new ListGrantCallsQuery(ids.account_id, ids.grant_id, query);
    const list = await this.queries.execute(calls);
    await sendList(request, reply, query.limit, GRANT_CALL_COLUMNS, list);
  }

  @Get('accounts/:account_id/events')
  async events(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, pageQuery, 'account_id');
    const events = new ListEventsQuery(ids.account_id, query.after ?? null, query.limit);
    sendJson(request, reply, await this.queries.execute(events));
  }

  @Get('calls/:call_id')
  async call(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { call_id: id } = readPath(request, 'call_id');
    sendJson(request, reply, await this.queries.execute(new ExplainCallQuery(id)));
  }
}

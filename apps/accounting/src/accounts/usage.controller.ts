import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Calendar } from '#calendar/calendar.js';
import { CALL_COLUMNS, WINDOW_COLUMNS } from '#ledger/usage-columns.js';
import { callsQuery, toCallFilter, windowsQuery } from '#ledger/usage-queries.js';
import { sendJson, sendTable } from '#web/table-answer.js';
import { ExplainCallQuery } from './explain-call.handler.js';
import { ListCallsQuery } from './list-calls.handler.js';
import { ListEventsQuery } from './list-events.handler.js';
import { ListWindowsQuery } from './list-windows.handler.js';
import { pageQuery } from './lists.js';
import { readPath, readQuery } from './request-parameters.js';

/** What accounts have called and what that cost them. */
@Controller('admin/v1')
export class UsageController {
  private readonly callsQuery: ReturnType<typeof callsQuery>;

  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Calendar) calendar: Calendar,
  ) {
    this.callsQuery = callsQuery(calendar);
  }

  @Get('accounts/:account_id/windows')
  async windows(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, windowsQuery, 'account_id');
    const { window, after = null, limit } = query;
    const windows = new ListWindowsQuery(ids.account_id, window, after, limit);
    sendTable(request, reply, await this.queries.execute(windows), WINDOW_COLUMNS);
  }

  @Get('accounts/:account_id/calls')
  async calls(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, this.callsQuery, 'account_id');
    const calls = new ListCallsQuery(ids.account_id, toCallFilter(query));
    sendTable(request, reply, await this.queries.execute(calls), CALL_COLUMNS);
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

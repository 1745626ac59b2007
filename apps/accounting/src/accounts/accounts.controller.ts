import { Body, Controller, Get, Inject, Patch, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Calendar } from '#calendar/calendar.js';
import type { AccountView } from '#ledger/account-reads.js';
import { usageQueries, type UsageQueries } from '#ledger/usage-queries.js';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import type { Made } from '#deciding/changes/made.js';
import { sendChanged, sendCreated } from '#rest/operation/answers.js';
import { changeAccountBody } from './change-account.body.js';
import { ChangeAccountCommand } from './change-account.handler.js';
import { entityTag } from '#deciding/changes/entity-tag.js';
import { EraseAccountCommand } from './erase-account.handler.js';
import { GetAccountQuery } from './get-account.handler.js';
import { ListAccountsQuery } from './list-accounts.handler.js';
import { accountsQuery } from './lists.js';
import { moveTestClockBody } from './move-test-clock.body.js';
import { MoveTestClockCommand } from './move-test-clock.handler.js';
import { openAccountBody } from './open-account.body.js';
import { OpenAccountCommand } from './open-account.handler.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readQuery } from '#rest/operation/request-parameters.js';
import { SetStatusCommand } from './set-status.handler.js';

const ACCOUNT = 'account_id';

@Controller('admin/v1/accounts')
export class AccountsController {
  private readonly schemas: UsageQueries;

  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Calendar) calendar: Calendar,
  ) {
    this.schemas = usageQueries(calendar);
  }

  @Post()
  async open(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const command = new OpenAccountCommand(readChange(request), parseBody(openAccountBody, body));
    const address = ({ id }: { id: string }): string => `/admin/v1/accounts/${id}`;
    sendCreated(request, reply, await this.commands.execute(command), address);
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query } = readQuery(request, accountsQuery);
    const { after = null, limit, status = null, search = null } = query;
    const test = query.test === undefined ? null : query.test === 'true';
    const filter = { after, limit, test, status, search };
    const { page, lag } = await this.queries.execute(new ListAccountsQuery(filter));
    if (lag > 0) void reply.header('projection-lag', String(lag));
    sendJson(request, reply, page);
  }

  @Get(':account_id')
  async one(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, this.schemas.account, ACCOUNT);
    const account = new GetAccountQuery(ids.account_id, query.as_of ?? null);
    const view = await this.queries.execute(account);
    void reply.header('etag', entityTag(view.version));
    sendJson(request, reply, view);
  }

  @Patch(':account_id')
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, ACCOUNT);
    const asked = parseBody(changeAccountBody, body);
    const command = new ChangeAccountCommand(change.ids.account_id, change, asked);
    sendAccount(request, reply, await this.commands.execute(command));
  }

  @Post(':account_id/suspend')
  async suspend(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    await this.setStatus('suspend-account', request, reply, body);
  }

  @Post(':account_id/resume')
  async resume(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    await this.setStatus('resume-account', request, reply, body);
  }

  @Post(':account_id/close')
  async close(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    await this.setStatus('close-account', request, reply, body);
  }

  @Post(':account_id/erase')
  async erase(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, ACCOUNT);
    const reason = parseBody(Reason, body === undefined ? {} : body);
    const command = new EraseAccountCommand(change.ids.account_id, change, reason);
    sendAccount(request, reply, await this.commands.execute(command));
  }

  @Post(':account_id/test-clock')
  async move(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, ACCOUNT);
    const { now } = parseBody(moveTestClockBody, body);
    const command = new MoveTestClockCommand(change.ids.account_id, change, now);
    sendAccount(request, reply, await this.commands.execute(command));
  }

  private async setStatus(
    to: SetStatusCommand['command'],
    request: FastifyRequest,
    reply: FastifyReply,
    body: unknown,
  ): Promise<void> {
    const change = readChange(request, ACCOUNT);
    const reason = parseBody(Reason, body === undefined ? {} : body);
    const command = new SetStatusCommand(to, change.ids.account_id, change, reason);
    sendAccount(request, reply, await this.commands.execute(command));
  }
}

function sendAccount(request: FastifyRequest, reply: FastifyReply, made: Made<AccountView>): void {
  void reply.header('etag', entityTag(made.view.version));
  sendChanged(request, reply, made);
}

import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { adjustCreditsBody } from './adjust-credits.body.js';
import { AdjustCreditsCommand } from './adjust-credits.handler.js';
import { sendCreated, sendNothing } from '#rest/operation/answers.js';
import { grantCreditsBody } from './grant-credits.body.js';
import { GrantCreditsCommand } from './grant-credits.handler.js';
import { ListGrantsQuery } from './list-grants.handler.js';
import { pageQuery } from './lists.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readQuery } from '#rest/operation/request-parameters.js';
import { VoidGrantCommand } from './void-grant.handler.js';

/** Credits that an account is given, or that are taken from it, by hand. */
@Controller('admin/v1/accounts/:account_id')
export class GrantsController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  @Post('grants')
  async grant(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id');
    const asked = parseBody(grantCreditsBody, body);
    const command = new GrantCreditsCommand(change.ids.account_id, change, asked);
    sendCreated(request, reply, await this.commands.execute(command));
  }

  @Get('grants')
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, pageQuery, 'account_id');
    const grants = new ListGrantsQuery(ids.account_id, query.after ?? null, query.limit);
    sendJson(request, reply, await this.queries.execute(grants));
  }

  @Delete('grants/:grant_id')
  async void(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id', 'grant_id');
    const { account_id: accountId, grant_id: grantId } = change.ids;
    const reason = parseBody(Reason, body === undefined ? {} : body);
    const command = new VoidGrantCommand(accountId, grantId, change, reason);
    sendNothing(reply, await this.commands.execute(command));
  }

  @Post('adjustments')
  async adjust(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id');
    const asked = parseBody(adjustCreditsBody, body);
    const command = new AdjustCreditsCommand(change.ids.account_id, change, asked);
    sendCreated(request, reply, await this.commands.execute(command));
  }
}

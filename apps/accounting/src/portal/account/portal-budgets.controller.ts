import { Body, Controller, Delete, Get, Inject, Post, Put, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendChanged, sendCreated, sendNothing } from '#rest/operation/answers.js';
import { pageQuery } from '../../accounts/lists.js';
import { reasonBody } from '#rest/operation/reason.body.js';
import { readChange, readQuery } from '#rest/operation/request-parameters.js';
import { ListBudgetsQuery } from '../../budgets/list-budgets.handler.js';
import { RemoveBudgetCommand } from '../../budgets/remove-budget.handler.js';
import { setBudgetBody } from '../../budgets/set-budget.body.js';
import { SetBudgetCommand } from '../../budgets/set-budget.handler.js';
import { accountOf } from '../sessions/signed-in.js';

/** Limits that the customer sets on the own spending. */
@Controller('portal/v1/budgets')
export class PortalBudgetsController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit } = readQuery(request, pageQuery).query;
    const budgets = new ListBudgetsQuery(accountOf(request), after, limit);
    sendJson(request, reply, await this.queries.execute(budgets));
  }

  @Post()
  async make(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request);
    const asked = parseBody(setBudgetBody, body);
    const command = new SetBudgetCommand(accountOf(request), null, change, asked);
    const { view, replayed } = await this.commands.execute(command);
    void reply.header('etag', view.tag);
    sendCreated(request, reply, { view: view.budget, replayed });
  }

  @Put(':budget_id')
  async replace(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'budget_id');
    const asked = parseBody(setBudgetBody, body);
    const { budget_id: budgetId } = change.ids;
    const command = new SetBudgetCommand(accountOf(request), budgetId, change, asked);
    const { view, replayed } = await this.commands.execute(command);
    void reply.header('etag', view.tag);
    sendChanged(request, reply, { view: view.budget, replayed });
  }

  @Delete(':budget_id')
  async remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'budget_id');
    const reason = parseBody(reasonBody, body === undefined ? {} : body);
    const { budget_id: budgetId } = change.ids;
    const command = new RemoveBudgetCommand(accountOf(request), budgetId, change, reason);
    sendNothing(reply, await this.commands.execute(command));
  }
}

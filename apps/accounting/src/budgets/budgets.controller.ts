import { Body, Controller, Delete, Get, Inject, Post, Put, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendChanged, sendCreated, sendNothing } from '#rest/operation/answers.js';
import { pageQuery } from '../accounts/lists.js';
import { reasonBody } from '#rest/operation/reason.body.js';
import { readChange, readPath, readQuery } from '#rest/operation/request-parameters.js';
import { GetBudgetQuery } from './get-budget.handler.js';
import { ListBudgetsQuery } from './list-budgets.handler.js';
import { RemoveBudgetCommand } from './remove-budget.handler.js';
import { setBudgetBody } from './set-budget.body.js';
import { SetBudgetCommand } from './set-budget.handler.js';

@Controller('admin/v1/accounts/:account_id/budgets')
export class BudgetsController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  @Post()
  async make(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id');
    const { account_id: accountId } = change.ids;
    const asked = parseBody(setBudgetBody, body);
    const { view, replayed } = await this.commands.execute(
      new SetBudgetCommand(accountId, null, change, asked),
    );
    void reply.header('etag', view.tag);
    const address = `/admin/v1/accounts/${accountId}/budgets/${view.budget.id}`;
    sendCreated(request, reply, { view: view.budget, replayed }, () => address);
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, pageQuery, 'account_id');
    const budgets = new ListBudgetsQuery(ids.account_id, query.after ?? null, query.limit);
    sendJson(request, reply, await this.queries.execute(budgets));
  }

  @Get(':budget_id')
  async one(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const ids = readPath(request, 'account_id', 'budget_id');
    const query = new GetBudgetQuery(ids.account_id, ids.budget_id);
    const { tag, budget } = await this.queries.execute(query);
    void reply.header('etag', tag);
    sendJson(request, reply, budget);
  }

  @Put(':budget_id')
  async replace(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id', 'budget_id');
    const { account_id: accountId, budget_id: budgetId } = change.ids;
    const asked = parseBody(setBudgetBody, body);
    const { view, replayed } = await this.commands.execute(
      new SetBudgetCommand(accountId, budgetId, change, asked),
    );
    void reply.header('etag', view.tag);
    sendChanged(request, reply, { view: view.budget, replayed });
  }

  @Delete(':budget_id')
  async remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id', 'budget_id');
    const { account_id: accountId, budget_id: budgetId } = change.ids;
    const reason = parseBody(reasonBody, body === undefined ? {} : body);
    const command = new RemoveBudgetCommand(accountId, budgetId, change, reason);
    sendNothing(reply, await this.commands.execute(command));
  }
}

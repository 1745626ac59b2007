import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendCreated, sendNothing } from '#rest/operation/answers.js';
import { issueApiKeyBody } from './issue-api-key.body.js';
import { IssueApiKeyCommand } from './issue-api-key.handler.js';
import { ListApiKeysQuery } from './list-api-keys.handler.js';
import { pageQuery } from './lists.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readQuery } from '#rest/operation/request-parameters.js';
import { RevokeApiKeyCommand } from './revoke-api-key.handler.js';

@Controller('admin/v1/accounts/:account_id/api-keys')
export class ApiKeysController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  @Post()
  async issue(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id');
    const asked = parseBody(issueApiKeyBody, body);
    const command = new IssueApiKeyCommand(change.ids.account_id, change, asked);
    sendCreated(request, reply, await this.commands.execute(command));
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, pageQuery, 'account_id');
    const keys = new ListApiKeysQuery(ids.account_id, query.after ?? null, query.limit);
    sendJson(request, reply, await this.queries.execute(keys));
  }

  @Delete(':key_id')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'account_id', 'key_id');
    const { account_id: accountId, key_id: keyId } = change.ids;
    const reason = parseBody(Reason, body === undefined ? {} : body);
    const command = new RevokeApiKeyCommand(accountId, keyId, change, reason);
    sendNothing(reply, await this.commands.execute(command));
  }
}

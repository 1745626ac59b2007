import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendCreated, sendNothing } from '#rest/operation/answers.js';
import { issueApiKeyBody } from '../../accounts/issue-api-key.body.js';
import { IssueApiKeyCommand } from '../../accounts/issue-api-key.handler.js';
import { ListApiKeysQuery } from '../../accounts/list-api-keys.handler.js';
import { pageQuery } from '../../accounts/lists.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readQuery } from '#rest/operation/request-parameters.js';
import { RevokeApiKeyCommand } from '../../accounts/revoke-api-key.handler.js';
import { accountOf } from '../sessions/signed-in.js';
import { ApiKeyRotation, rotateApiKeyBody } from './api-key-rotation.js';

/** The keys of the customer's own account. */
@Controller('portal/v1/api-keys')
export class PortalApiKeysController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(ApiKeyRotation) private readonly rotation: ApiKeyRotation,
  ) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit } = readQuery(request, pageQuery).query;
    const keys = new ListApiKeysQuery(accountOf(request), after, limit);
    sendJson(request, reply, await this.queries.execute(keys));
  }

  @Post()
  async issue(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request);
    const asked = parseBody(issueApiKeyBody, body);
    const command = new IssueApiKeyCommand(accountOf(request), change, asked);
    sendCreated(request, reply, await this.commands.execute(command));
  }

  @Delete(':key_id')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'key_id');
    const reason = parseBody(Reason, body === undefined ? {} : body);
    const { key_id: keyId } = change.ids;
    const command = new RevokeApiKeyCommand(accountOf(request), keyId, change, reason);
    sendNothing(reply, await this.commands.execute(command));
  }

  @Post(':key_id/rotate')
  async rotate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'key_id');
    const { overlap_hours: hours } = parseBody(rotateApiKeyBody, body);
    const { key_id: keyId } = change.ids;
    const rotated = await this.rotation.rotate(accountOf(request), keyId, change, hours);
    sendCreated(request, reply, rotated);
  }
}

import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendCreated, sendNothing } from '#rest/operation/answers.js';
import { pageQuery } from '../accounts/lists.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readQuery } from '#rest/operation/request-parameters.js';
import { AdminTokens } from './admin-tokens.js';
import { issueAdminTokenBody } from './issue-admin-token.body.js';

/** Who besides the holder of ADMIN_TOKEN may do what. */
@Controller('admin/v1/admin-tokens')
export class AdminTokensController {
  constructor(@Inject(AdminTokens) private readonly tokens: AdminTokens) {}

  @Post()
  async issue(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request);
    const asked = parseBody(issueAdminTokenBody, body);
    sendCreated(request, reply, await this.tokens.issue(change, asked));
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit } = readQuery(request, pageQuery).query;
    sendJson(request, reply, await this.tokens.page(after, limit));
  }

  @Delete(':token_id')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'token_id');
    const { reason } = parseBody(Reason, body === undefined ? {} : body);
    sendNothing(reply, await this.tokens.revoke(change.ids.token_id, change, reason));
  }
}

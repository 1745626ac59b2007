import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '#web/table-answer.js';
import { pageQuery } from '../accounts/lists.js';
import { readPath, readQuery } from '#rest/operation/request-parameters.js';
import { ListProjectionsQuery } from './list-projections.handler.js';
import { ListReleasesQuery } from './list-releases.handler.js';

/** The service itself: what it sells from, and how far its own tables have come. */
@Controller('admin/v1')
export class SystemController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Get('releases')
  async releases(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit } = readQuery(request, pageQuery).query;
    sendJson(request, reply, await this.queries.execute(new ListReleasesQuery(after, limit)));
  }

  @Get('projections')
  async projections(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    readPath(request);
    sendJson(request, reply, await this.queries.execute(new ListProjectionsQuery()));
  }
}

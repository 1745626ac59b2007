import { Body, Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Calendar } from '#calendar/calendar.js';
import { negotiate, sendJson, sendTable } from '#web/table-answer.js';
import { sendCreated } from '#rest/operation/answers.js';
import { pageQuery } from '../accounts/lists.js';
import { readChange, readPath, readQuery } from '#rest/operation/request-parameters.js';
import { DiffRateCardsQuery } from './diff-rate-cards.handler.js';
import { GetRateCardQuery } from './get-rate-card.handler.js';
import { ListRateCardsQuery } from './list-rate-cards.handler.js';
import { PREVIEW_COLUMNS } from './preview-columns.js';
import { parsePreviewRateCard } from './preview-rate-card.body.js';
import { PreviewRateCardQuery } from './preview-rate-card.handler.js';
import { parsePublishRateCard } from './publish-rate-card.body.js';
import { PublishRateCardCommand } from './publish-rate-card.handler.js';

const OTHER_VERSION = 'The version of the rate card to compare with';
const diffQuery = z.strictObject({
  against: z
    .string(OTHER_VERSION)
    .regex(/^[1-9]\d{0,14}$/, OTHER_VERSION)
    .transform(Number),
});
const previewQuery = z.strictObject({ test: z.enum(['true', 'false']).default('false') });

/** What calls cost: the cards that were published, the next one, and what it would have meant. */
@Controller('admin/v1/rate-cards')
export class RateCardsController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Calendar) private readonly calendar: Calendar,
  ) {}

  @Post()
  async publish(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const command = new PublishRateCardCommand(readChange(request), parsePublishRateCard(body));
    const made = await this.commands.execute(command);
    sendCreated(request, reply, made, ({ version }) => `/admin/v1/rate-cards/${version}`);
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit } = readQuery(request, pageQuery).query;
    sendJson(request, reply, await this.queries.execute(new ListRateCardsQuery(after, limit)));
  }

  @Get(':version')
  async one(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    readPath(request);
    sendJson(request, reply, await this.queries.execute(new GetRateCardQuery(versionOf(request))));
  }

  @Get(':version/diff')
  async diff(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { against } = readQuery(request, diffQuery).query;
    const diff = new DiffRateCardsQuery(versionOf(request), against);
    sendJson(request, reply, await this.queries.execute(diff));
  }

  @Post('preview')
  async preview(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    negotiate(request, ['application/json', 'text/csv']);
    const { test } = readQuery(request, previewQuery).query;
    const asked = parsePreviewRateCard(body, this.calendar);
    const leaving = new AbortController();
    reply.raw.once('close', () => leaving.abort());
    const query = new PreviewRateCardQuery(asked, test === 'true', leaving.signal);
    const { items, next, ...rest } = await this.queries.execute(query);
    void reply.code(200);
    sendTable(request, reply, { items, next }, PREVIEW_COLUMNS, rest);
  }
}

function versionOf(request: FastifyRequest): string {
  return (request.params as { readonly version: string }).version;
}

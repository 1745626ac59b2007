import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseBody } from '#web/body.js';
import { PAGE_QUERY } from '#web/query.js';
import { sendJson } from '#web/table-answer.js';
import { sendChanged, sendCreated, sendNothing } from '#rest/operation/answers.js';
import { pageQuery } from '../accounts/lists.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readPath, readQuery } from '#rest/operation/request-parameters.js';
import { createWebhookBody } from '#deliveries/create-webhook.body.js';
import { DELIVERY_STATUSES } from '#deliveries/delivery.js';
import { DELIVERIES, type Deliveries } from '#deliveries/deliveries.js';

const WEBHOOK = 'webhook_id';

export const deliveriesQuery = z.strictObject({
  ...PAGE_QUERY,
  order: z.enum(['asc', 'desc']).default('asc'),
  status: z.enum(DELIVERY_STATUSES).optional(),
});

/** Addresses that are told of events, and what was delivered there. */
@Controller('admin/v1/webhooks')
export class WebhooksController {
  constructor(@Inject(DELIVERIES) private readonly deliveries: Deliveries) {}

  @Post()
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request);
    const asked = parseBody(createWebhookBody(this.deliveries.allowPrivate), body);
    const address = ({ id }: { readonly id: string }): string => `/admin/v1/webhooks/${id}`;
    sendCreated(request, reply, await this.deliveries.webhooks.create(change, asked), address);
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit } = readQuery(request, pageQuery).query;
    sendJson(request, reply, await this.deliveries.webhookList.page(after, limit));
  }

  @Get(':webhook_id')
  async one(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { webhook_id: id } = readPath(request, WEBHOOK);
    sendJson(request, reply, await this.deliveries.webhookList.one(id));
  }

  @Delete(':webhook_id')
  async remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, WEBHOOK);
    const { reason } = reasonOf(body);
    const { webhook_id: id } = change.ids;
    sendNothing(reply, await this.deliveries.webhooks.remove(id, change, reason));
  }

  @Post(':webhook_id/rotate')
  async rotate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, WEBHOOK);
    const { reason } = reasonOf(body);
    const { webhook_id: id } = change.ids;
    sendChanged(request, reply, await this.deliveries.webhooks.rotate(id, change, reason));
  }

  @Post(':webhook_id/test')
  async test(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, WEBHOOK);
    const { reason } = reasonOf(body);
    const { webhook_id: id } = change.ids;
    sendChanged(request, reply, await this.deliveries.attempts.test(id, change, reason));
  }

  @Get(':webhook_id/deliveries')
  async delivered(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, deliveriesQuery, WEBHOOK);
    const { after = null, limit, order, status = null } = query;
    const filter = { after, limit, order, status };
    sendJson(request, reply, await this.deliveries.webhookList.deliveries(ids.webhook_id, filter));
  }

  @Post('deliveries/:delivery_id/resend')
  async resend(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'delivery_id');
    const { reason } = reasonOf(body);
    const { delivery_id: id } = change.ids;
    sendChanged(request, reply, await this.deliveries.attempts.resend(id, change, reason));
  }
}

function reasonOf(body: unknown): Reason {
  return parseBody(Reason, body === undefined ? {} : body);
}

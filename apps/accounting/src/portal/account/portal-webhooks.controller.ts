import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendChanged, sendCreated, sendNothing } from '#rest/operation/answers.js';
import type { Change } from '#deciding/changes/change.js';
import { pageQuery } from '../../accounts/lists.js';
import { Reason } from '#rest/operation/reason.js';
import { readChange, readPath, readQuery } from '#rest/operation/request-parameters.js';
import { webhookOfAccountBody } from '#deliveries/create-webhook.body.js';
import type { Deliveries } from '#deliveries/deliveries.js';
import { deliveriesQuery } from '../../deliveries/webhooks.controller.js';
import { accountOf } from '../sessions/signed-in.js';
import { AccountWebhooks, scopedChange } from './account-webhooks.js';

const WEBHOOK = 'webhook_id';

/** A change of one webhook of the session's account, and why it is made. */
interface OwnChange {
  readonly id: string;
  readonly change: Change;
  readonly reason: string | undefined;
}

/** Addresses that the customer has told of the own account's events. */
@Controller('portal/v1/webhooks')
export class PortalWebhooksController {
  private readonly deliveries: Deliveries;

  constructor(@Inject(AccountWebhooks) private readonly webhooks: AccountWebhooks) {
    this.deliveries = webhooks.deliveries;
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { after = null, limit } = readQuery(request, pageQuery).query;
    sendJson(request, reply, await this.webhooks.page(accountOf(request), after, limit));
  }

  @Get(':webhook_id')
  async one(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { webhook_id: id } = readPath(request, WEBHOOK);
    await this.webhooks.requireOwn(accountOf(request), id);
    sendJson(request, reply, await this.deliveries.webhookList.one(id));
  }

  @Post()
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request);
    const asked = parseBody(webhookOfAccountBody(this.deliveries.allowPrivate), body);
    sendCreated(request, reply, await this.webhooks.create(accountOf(request), change, asked));
  }

  @Delete(':webhook_id')
  async remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const { id, change, reason } = await this.own(request, body);
    sendNothing(reply, await this.deliveries.webhooks.remove(id, change, reason));
  }

  @Post(':webhook_id/rotate')
  async rotate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const { id, change, reason } = await this.own(request, body);
    sendChanged(request, reply, await this.deliveries.webhooks.rotate(id, change, reason));
  }

  @Post(':webhook_id/test')
  async test(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const { id, change, reason } = await this.own(request, body);
    sendChanged(request, reply, await this.deliveries.attempts.test(id, change, reason));
  }

  @Get(':webhook_id/deliveries')
  async delivered(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, deliveriesQuery, WEBHOOK);
    const { after = null, limit, order, status = null } = query;
    await this.webhooks.requireOwn(accountOf(request), ids.webhook_id);
    const filter = { after, limit, order, status };
    sendJson(request, reply, await this.deliveries.webhookList.deliveries(ids.webhook_id, filter));
  }

  @Post('deliveries/:delivery_id/resend')
  async resend(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown) {
    const change = readChange(request, 'delivery_id');
    parseBody(Reason, body === undefined ? {} : body);
    const { delivery_id: id } = change.ids;
    sendChanged(request, reply, await this.webhooks.resend(accountOf(request), id, change));
  }

  private async own(request: FastifyRequest, body: unknown): Promise<OwnChange> {
    const change = readChange(request, WEBHOOK);
    const { reason } = parseBody(Reason, body === undefined ? {} : body);
    const { webhook_id: id } = change.ids;
    await this.webhooks.requireOwn(accountOf(request), id);
    return { id, change: scopedChange(accountOf(request), change), reason };
  }
}

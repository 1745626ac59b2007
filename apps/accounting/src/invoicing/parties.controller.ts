import { Body, Controller, Get, Inject, Put, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import { AccountLoader } from '#ledger/account-loader.js';
import { parseBody } from '#web/body.js';
import { sendJson } from '#web/table-answer.js';
import { sendChanged } from '#rest/operation/answers.js';
import { entityTag } from '#deciding/changes/entity-tag.js';
import { readChange, readPath } from '#rest/operation/request-parameters.js';
import { readBillingDetails, SetBillingDetailsCommand } from './billing-details.handler.js';
import { buyerBody, sellerBody } from '#invoicing/party.body.js';
import { SellerChanges } from '#invoicing/seller-changes.js';

/** Who sends invoices, and whom they are addressed to. */
@Controller('admin/v1')
export class PartiesController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(SellerChanges) private readonly sellers: SellerChanges,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
  ) {}

  @Get('seller')
  async seller(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    readPath(request);
    const { version, seller } = await this.sellers.read();
    void reply.header('etag', entityTag(version));
    sendJson(request, reply, seller);
  }

  @Put('seller')
  async setSeller(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ) {
    const change = readChange(request);
    const asked = parseBody(sellerBody, body);
    const { view, replayed } = await this.sellers.change(change, asked);
    void reply.header('etag', entityTag(view.version));
    sendChanged(request, reply, { view: view.seller, replayed });
  }

  @Get('accounts/:account_id/billing')
  async billing(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { account_id: accountId } = readPath(request, 'account_id');
    const { tag, buyer } = await readBillingDetails(this.pool, this.loader, accountId);
    void reply.header('etag', tag);
    sendJson(request, reply, buyer);
  }

  @Put('accounts/:account_id/billing')
  async setBilling(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ) {
    const change = readChange(request, 'account_id');
    const asked = parseBody(buyerBody, body);
    const command = new SetBillingDetailsCommand(change.ids.account_id, change, asked);
    const { view, replayed } = await this.commands.execute(command);
    void reply.header('etag', view.tag);
    sendChanged(request, reply, { view: view.buyer, replayed });
  }
}
